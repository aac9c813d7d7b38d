// Package unoduo plays UNO Duo: a bot is one function from an observation to an action, all else is done here.
//
// Run is a whole program around a bot. Connect, Session.Play and Session.NextAssigned are what it is made of.
// PROTOCOL.md of the referee says why each step is as it is.
package unoduo

import pb "unoduo/clients/go/bot/unoduov1"

// Protocol is the version of the protocol that this package speaks.
const Protocol = 1

// Bot decides: it is given an observation with a decision and returns an action, best one of the legal ones. It is
// called for one decision of its seat at a time, on a goroutine of its own. ErrResign gives up the match; any other error
// ends the play of that seat.
type Bot func(observation *pb.Observation) (*pb.Action, error)
