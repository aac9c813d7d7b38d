package wire

import (
	"errors"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Numbers of the last values of the enums in package unoduo.v1.
const (
	lastSeat, lastColor, lastCard   = 2, 4, 54
	lastDeck, lastPiles             = 3, 2
	lastAlternative, lastGuiltyNext = 3, 2
	lastFinalReverse                = 2
	lastFinalPenalty                = 2
	lastExpiryPolicy, lastDealMode  = 2, 3
	lastTermination                 = 9
	lastDrawReason                  = 8
	lastRoundEndReason              = 3
	lastResumeReason                = 2
)

// Numbers of enum values that a verifier asks for.
const (
	SeatA, SeatB                   = 1, 2
	DeckDoubleZero112              = 2
	DeckClassic108                 = 3
	PilesShuffle                   = 2
	DealModeFresh                  = 1
	DealModeShared                 = 2
	DealModeGiven                  = 3
	VoidByOrganiser, VoidByReferee = 8, 9
)

// The messages of ruleset.proto, match.proto and outcome.proto as they stand in a log.
var (
	ruleset = schema("ruleset",
		enum(1, "deck", lastDeck).must(), enum(2, "piles", lastPiles).must(),
		enum(3, "wd4_alternative", lastAlternative).must(), enum(4, "wd4_guilty_next", lastGuiltyNext).must(),
		enum(5, "dump_final_reverse", lastFinalReverse).must(), enum(6, "final_penalty", lastFinalPenalty).must(),
		num(7, "hand_size").must().upTo(26), num(8, "target").must().upTo(1_000_000),
		num(9, "turn_cap").must().upTo(100_000), num(10, "round_cap").must().upTo(10_000)).checked(checkRuleset)
	timeControl = schema("time_control",
		num(1, "limit_ms").must().upTo(3_600_000), num(2, "bank_ms").upTo(86_400_000),
		num(3, "increment_ms").upTo(3_600_000), num(4, "margin_ms").upTo(60_000),
		num(5, "startup_grace_ms").must().upTo(3_600_000), num(6, "reconnect_grace_ms").must().upTo(3_600_000))
	faultPolicy = schema("fault_policy",
		enum(1, "on_expiry", lastExpiryPolicy).must(), num(2, "max_strikes").upTo(10_000),
		num(3, "rejection_limit").must().upTo(100), num(4, "forfeit_after_absence_ms").upTo(86_400_000))
	player  = schema("player", text(1, "name").must(), text(2, "bot")).checked(checkPlayer)
	outcome = schema("outcome",
		enum(1, "winner", lastSeat), enum(2, "termination", lastTermination).must(), num(3, "total_a"),
		num(4, "total_b"), num(5, "rounds"), list(6, "faulted", lastSeat))
)

// The kinds of action.proto.
var action = schema("action", kinds(1,
	schema("keep_offered"),
	schema("refuse_offered"),
	schema("choose_color", enum(1, "color", lastColor).must()),
	schema("play", list(1, "cards", lastCard), enum(2, "color", lastColor), flag(3, "uno")).checked(checkPlay),
	schema("draw"),
	schema("keep_drawn"),
	schema("challenge"),
	schema("catch"),
	schema("let_pass"))...).withKind()

// The kinds of event.proto.
var event = schema("event", kinds(1,
	schema("cut", enum(1, "card_a", lastCard).must(), enum(2, "card_b", lastCard).must()),
	schema("round_started", num(1, "round"), enum(2, "first_drafter", lastSeat).must()),
	schema("draft_offered", seat()),
	schema("draft_done", seat(), flag(2, "kept_first"), enum(3, "discarded", lastCard).must()),
	schema("starter_turned", enum(1, "card", lastCard).must(), num(2, "draw_count")),
	schema("color_chosen", seat(), enum(2, "color", lastColor).must()),
	schema("turn_started", seat(), enum(2, "color", lastColor).must(), enum(3, "free_color", lastColor)),
	schema("cards_played", seat(), list(2, "cards", lastCard), enum(3, "color", lastColor).must(), num(4, "left"),
		flag(5, "uno")),
	schema("cards_drawn", seat(), num(2, "count"), num(3, "due"), enum(4, "reason", lastDrawReason).must()),
	schema("recycled", num(1, "draw_count")),
	schema("drawn_kept", seat()),
	schema("uno_window_closed", seat(), flag(2, "caught")),
	schema("challenged", seat(), flag(2, "guilty")),
	schema("round_ended", enum(1, "winner", lastSeat), enum(2, "reason", lastRoundEndReason).must(),
		list(3, "hand_a", lastCard), list(4, "hand_b", lastCard), num(5, "points_a"), num(6, "points_b"),
		num(7, "total_a"), num(8, "total_b")),
	schema("match_ended", message(1, "outcome", outcome).must()),
	schema("deal_sealed", blob(1, "entropy_1", 0), blob(2, "entropy_2", 0)),
	schema("timed_out", seat(), num(2, "strikes"), flag(3, "default_taken")),
	schema("forfeited", seat(), enum(2, "termination", lastTermination).must(),
		text(3, "clause").alternative(),
		message(4, "clock", schema("clock", num(1, "elapsed_ms"), num(2, "lag_credit_ms"), num(3, "limit_ms"),
			num(4, "bank_ms"), num(5, "margin_ms"))).alternative(),
		num(5, "absence_ms").alternative()),
	schema("resigned", seat()),
	schema("resumed", enum(1, "reason", lastResumeReason).must()),
	schema("voided", enum(1, "termination", lastTermination).must(), text(2, "reason")))...).withKind()

func seat() Field { return enum(1, "seat", lastSeat).must() }

// The first event kind that is a ruling of the referee and no fact of the rules.
const firstRuling = 16

// The messages of log.proto.
var (
	loggedAction = schema("action", text(1, "action_id").must(), message(2, "action", action).must()).
			checked(checkActionID)
	input = schema("input", append([]Field{
		enum(1, "seat", lastSeat), num(2, "decision_id"), num(3, "elapsed_ms"), num(4, "lag_credit_ms")}, kinds(5,
		loggedAction,
		schema("start", blob(1, "entropy_1", 0), blob(2, "entropy_2", 0)),
		schema("expired"),
		schema("no_show", list(1, "seats", lastSeat)),
		schema("disconnected", num(1, "absence_ms")),
		schema("rejection_limit"),
		schema("resigned"),
		schema("resumed", enum(1, "reason", lastResumeReason).must()),
		schema("voided", enum(1, "termination", lastTermination).must(), text(2, "reason")))...)...).withKind()
	try = schema("try", seat(), num(2, "decision_id"), message(3, "action", loggedAction).must(),
		text(4, "clause"))
	recordedEvent = schema("recorded_event", num(1, "sequence"), message(2, "event", event).must(),
		list(3, "private_cards", lastCard), enum(4, "private_to", lastSeat)).checked(checkPrivatePart)

	// Header is the first record of a log.
	Header = schema("header", num(1, "format").must().upTo(1), num(2, "rules_revision").must(),
		blob(3, "match_id", 16).must(), num(4, "match_number").must(), blob(5, "index_head", 32).must(),
		blob(6, "key_id", 16), blob(7, "commitment", 32).must(), enum(8, "deal_mode", lastDealMode).must(),
		message(9, "ruleset", ruleset).must(), message(10, "time_control", timeControl).must(),
		message(11, "fault_policy", faultPolicy).must(), messages(12, "players", player),
		num(13, "replaces_number"), text(14, "created")).checked(checkHeader)
	// Entry is one input with its events.
	Entry = schema("entry", num(1, "index"), blob(2, "blind", 16).must(), message(3, "input", input).must(),
		messages(4, "tries", try), messages(5, "events", recordedEvent).must()).checked(checkEntry)
	// Seal closes a log.
	Seal = schema("seal", blob(1, "final_head", 32).must(), message(2, "outcome", outcome).must(),
		blob(3, "signature", 64))
	// Reveal opens the commitment.
	Reveal = schema("reveal", blob(1, "deal_id", 16).must(), blob(2, "seed", 32).must(), blob(3, "salt", 32).must())
	// IndexRecord is one record of the referee's index.
	IndexRecord = schema("record", append([]Field{num(1, "match_number")}, kinds(2,
		schema("created", blob(1, "h0", 32).must()),
		schema("sealed", blob(1, "final_head", 32).must(), message(2, "outcome", outcome).must()),
		schema("voided"))...)...).withKind()
)

func checkRuleset(m *Message) error {
	if m.Number("deck") == DeckClassic108 && m.Number("hand_size") > 25 {
		return errors.New("hand_size must be 1 to 25 with this deck")
	}
	return nil
}

// checkPlayer holds a name to match.proto: 1 to 64 characters, not blank, none of them control or format.
func checkPlayer(m *Message) error {
	blank := true
	for _, name := range []string{"name", "bot"} {
		characters := m.Bytes(name)
		if utf8.RuneCount(characters) > 64 {
			return fmt.Errorf("%s must have at most 64 characters", name)
		}
		for _, character := range string(characters) {
			if unicode.In(character, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
				return fmt.Errorf("%s must not hold control or format characters", name)
			}
			blank = blank && (name == "bot" || unicode.Is(unicode.Zs, character))
		}
	}
	if blank {
		return errors.New("name must not be blank")
	}
	return nil
}

func checkHeader(m *Message) error {
	if players := len(m.Messages("players")); players != 2 {
		return fmt.Errorf("players must be two, not %d", players)
	}
	if m.Number("replaces_number") >= m.Number("match_number") {
		return errors.New("replaces_number must be that of an earlier match")
	}
	return nil
}

func checkPlay(m *Message) error {
	if cards := len(m.Bytes("cards")); cards > 112 {
		return fmt.Errorf("names %d cards, a deck has 112", cards)
	}
	return nil
}

func checkActionID(m *Message) error {
	id := m.Bytes("action_id")
	for _, character := range id {
		if character < ' ' || character > '~' {
			return errors.New("action_id must be printable ASCII")
		}
	}
	if len(id) > 36 {
		return fmt.Errorf("action_id must have 1 to 36 characters, not %d", len(id))
	}
	return nil
}

func checkPrivatePart(m *Message) error {
	to := m.Number("private_to")
	if to == 0 && len(m.Bytes("private_cards")) > 0 {
		return errors.New("private_to must be set beside private cards")
	}
	if ruling := m.Message("event").values[0].field.Number >= firstRuling; ruling && to != 0 {
		return errors.New("a ruling has no private part")
	}
	return nil
}

func checkEntry(m *Message) error {
	events := m.Messages("events")
	first := events[0].Number("sequence")
	for place, event := range events {
		if event.Number("sequence") != first+uint32(place) {
			return fmt.Errorf("event %d of it is not numbered on", place+1)
		}
	}
	return nil
}
