package unoduo.examples;

import unoduo.client.Cards;
import unoduo.client.Program;
import unoduo.v1.Action;
import unoduo.v1.Color;
import unoduo.v1.Observation;
import unoduo.v1.Play;
import unoduo.v1.View;

/**
 * A first bot: copy it, and write a better {@code decide}.
 *
 * <p>It plays whatever gets rid of most points, names the color that it holds most of, and never forgets to say UNO.
 */
public final class Starter {
    public static void main(String[] arguments) {
        Program.run("starter", arguments, seed -> Starter::decide);
    }

    /** Returns one of the legal actions, which come ready to be sent back. */
    static Action decide(Observation observation) {
        Action best = observation.getDecision().getLegal(0);
        for (Action action : observation.getDecision().getLegalList()) {
            if (worth(action, observation.getView()) > worth(best, observation.getView())) {
                best = action;
            }
        }
        return best;
    }

    /** Says how good an action looks; only plays and colors do. */
    private static long worth(Action action, View view) {
        return switch (action.getKindCase()) {
            case PLAY -> {
                Play play = action.getPlay();
                int points =
                        play.getCardsList().stream().mapToInt(Cards::pointsOf).sum();
                yield 100L * (1 + points) + 2 * held(view, play.getColor()) + (play.getUno() ? 1 : 0);
            }
            case CHOOSE_COLOR -> held(view, action.getChooseColor().getColor());
            default -> 0;
        };
    }

    /** Counts the cards of a color; wilds have none. */
    private static long held(View view, Color color) {
        return view.getHandList().stream()
                .filter(card -> !Cards.isWild(card) && Cards.colorOf(card) == color)
                .count();
    }
}
