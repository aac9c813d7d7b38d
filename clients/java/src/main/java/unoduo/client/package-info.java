/**
 * Plays UNO Duo: a bot is one function from an observation to an action, all else is done here.
 *
 * <p>{@link unoduo.client.Program} is a whole program around a bot. {@link unoduo.client.Session} is what it is made
 * of. PROTOCOL.md of the referee says why each step is as it is.
 */
package unoduo.client;
