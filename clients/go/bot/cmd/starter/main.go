// Command starter is a first bot: copy it, and write a better decide.
//
// It plays whatever gets rid of most points, names the color that it holds most of, and never forgets to say UNO.
package main

import (
	"unoduo/clients/go/bot/unoduo"
	pb "unoduo/clients/go/bot/unoduov1"
)

func main() {
	unoduo.Run(func([]byte) unoduo.Bot { return decide })
}

// decide returns one of the legal actions, which come ready to be sent back.
func decide(observation *pb.Observation) (*pb.Action, error) {
	legal, hand := observation.GetDecision().GetLegal(), observation.GetView().GetHand()
	best := legal[0]
	for _, action := range legal[1:] {
		if worth(action, hand) > worth(best, hand) {
			best = action
		}
	}
	return best, nil
}

// worth says how good an action looks; only plays and colors do.
func worth(action *pb.Action, hand []pb.Card) int {
	switch kind := action.GetKind().(type) {
	case *pb.Action_Play:
		points := 1
		for _, card := range kind.Play.GetCards() {
			points += unoduo.PointsOf(card)
		}
		worth := 100*points + 2*held(hand, kind.Play.GetColor())
		if kind.Play.GetUno() {
			worth++
		}
		return worth
	case *pb.Action_ChooseColor:
		return held(hand, kind.ChooseColor.GetColor())
	}
	return 0
}

// held counts the cards of a color.
func held(hand []pb.Card, color pb.Color) int {
	count := 0
	for _, card := range hand {
		if unoduo.ColorOf(card) == color {
			count++
		}
	}
	return count
}
