/** Plays seats with bots: a bot is one function from an observation to an action. */

import { isMessage } from "@bufbuild/protobuf";

import { BotError, MatchOver } from "./errors.js";
import { type Action, ActionSchema } from "./gen/unoduo/v1/action_pb.js";
import type { ObservedEvent } from "./gen/unoduo/v1/observation_pb.js";
import { type Ended, RejectionReason } from "./gen/unoduo/v1/session_pb.js";
import type { Asking, SeatSession } from "./seat.js";

/** Decides what is asked. */
export type Bot = (observation: Asking) => Action | Promise<Action>;

/**
 * Plays a match to its end and returns how it ended.
 *
 * The bot is called with each observation that carries a decision, unless that is over by then; the events of all others
 * come with the next one. A match ends also while the bot thinks, then in vain. A rejected action is never repaired: the
 * bot is asked again, with fewer `triesLeft`, and when the tries are used up BotError is thrown, naming the clause. What
 * the bot itself throws is passed on, and so are the errors of SeatSession.
 */
export async function playSeat(seat: SeatSession, bot: Bot): Promise<Ended> {
  try {
    if (!seat.isReady) {
      await seat.ready();
    }
    let untold: ObservedEvent[] = [];
    for await (const observation of seat.observations()) {
      untold.push(...observation.events);
      // Behind news that came while the bot was thinking a decision is over, or is told again.
      if (seat.isAsked(observation) && !seat.hasNews) {
        observation.events = untold;
        untold = [];
        await decide(seat, bot, observation);
      }
    }
  } catch (error) {
    if (!(error instanceof MatchOver)) {
      throw error;
    }
  }
  return seat.ended as Ended; // nothing else ends the observations
}

/** Asks the bot until an action is accepted or the decision is no longer open. */
async function decide(seat: SeatSession, bot: Bot, asking: Asking): Promise<void> {
  for (;;) {
    const action: unknown = await seat.unlessOver<unknown>(bot(asking));
    if (!isMessage(action, ActionSchema)) {
      throw new BotError(`the bot returned ${typeof action}, not an Action`);
    }
    const { verdict } = await seat.act(asking.decision, action);
    if (verdict.case !== "rejected") {
      return;
    }
    const { reason, clause, message, triesLeft } = verdict.value;
    const refusal = `${RejectionReason[reason] ?? reason} (${clause}): ${message}; see: unoduo rules ${clause}`;
    if (triesLeft === 0) {
      throw new BotError(`the bot has no tries left: ${refusal}`);
    }
    console.warn(`the referee refuses an action: ${refusal}`);
    asking.decision.triesLeft = triesLeft;
  }
}
