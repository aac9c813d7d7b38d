/** Plays many matches over one session. */

import { type Bot, connect, playSeat, Seat } from "unoduo-client";

/** Plays seat A of every match, given by id and token. */
export async function playAll(address: string, matches: [Uint8Array, string][], bot: Bot): Promise<void> {
  const session = await connect(address);
  try {
    const playing = matches.map(async ([matchId, token]) =>
      playSeat(await session.join(matchId, Seat.A, { token }), bot),
    );
    console.log(await Promise.allSettled(playing)); // how each ended, or what its bot threw
  } finally {
    session.close();
  }
}
