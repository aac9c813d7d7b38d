/**
 * Client library for bots that play at an UNO Duo referee.
 *
 * A bot is one function from an observation to an action; `run(bot)` is its whole main program. For more than one match:
 * `connect`, `Session.join`, `playSeat`.
 */

export * as cards from "./cards.js";
export type { Security, TLS } from "./channel.js";
export * from "./errors.js";
export { type Action, ActionSchema } from "./gen/unoduo/v1/action_pb.js";
export { Card, Color } from "./gen/unoduo/v1/card_pb.js";
export { DrawReason, type Event, RoundEndReason } from "./gen/unoduo/v1/event_pb.js";
export {
  type Decision,
  type Observation,
  ObservationSchema,
  PendingKind,
  Phase,
  type View,
} from "./gen/unoduo/v1/observation_pb.js";
export { type Outcome, Termination } from "./gen/unoduo/v1/outcome_pb.js";
export { Seat } from "./gen/unoduo/v1/seat_pb.js";
export {
  type ActionResult,
  type Assigned,
  Delivery,
  DetachReason,
  type Ended,
  RejectionReason,
} from "./gen/unoduo/v1/session_pb.js";
export { readJson } from "./json.js";
export { type Bot, playSeat } from "./play.js";
export { run } from "./program.js";
export { type Asking, SeatSession } from "./seat.js";
export { connect, type JoinOptions, type Session, type SessionOptions } from "./session.js";
