package audit

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"unoduo/clients/go/internal/vectors"
)

func TestMasterFilesAreJudgedAsTheVectorsSay(t *testing.T) {
	for _, c := range vectors.Cases[struct {
		Name, Master, Status, Part, Check string
		Refused                           bool
		File, Commitment                  vectors.Hex
	}](t, "log/masters.json") {
		master, err := ReadMaster([]byte(c.Master))
		if c.Refused != (err != nil) {
			t.Errorf("%s: refused %t, must be %t: %v", c.Name, err != nil, c.Refused, err)
		}
		if err != nil {
			continue
		}
		if !bytes.Equal(master.Commitment, c.Commitment) {
			t.Errorf("%s: its commitment is %x, must be %x", c.Name, master.Commitment, c.Commitment)
		}
		report := verified(t, c.Name, c.File, Evidence{Master: master})
		var part, check string
		if report.Part != nil {
			part, check = *report.Part, *report.Check
		}
		if report.Status != c.Status || part != c.Part || check != c.Check {
			t.Errorf("%s: %s at %q (%s), must be %s at %q (%s)", c.Name, report.Status, part, check, c.Status, c.Part, c.Check)
		}
		if unlisted := c.Name == "shared_deal_that_is_not_listed"; slices.Contains(report.NotProven, notListed) != unlisted {
			t.Errorf("%s: not proven: %q", c.Name, report.NotProven)
		}
		leftOut := slices.ContainsFunc(report.NotProven, func(text string) bool {
			return strings.Contains(text, "leaves out pair 1,")
		})
		if leftOut != (c.Name == "pair_before_it_left_out") {
			t.Errorf("%s: not proven: %q", c.Name, report.NotProven)
		}
	}
}

func TestReportOfASharedDealSaysWhatOnlyAMasterFileProves(t *testing.T) {
	for _, c := range vectors.Cases[struct {
		Name string
		File vectors.Hex
	}](t, "log/replays.json") {
		report := verified(t, c.Name, c.File, Evidence{})
		if shared := c.Name == "shared_deal"; shared && !slices.Contains(report.NotProven, noMaster) ||
			c.Name == "given_seed" && slices.Contains(report.NotProven, noMaster) {
			t.Errorf("%s: not proven: %q", c.Name, report.NotProven)
		}
	}
}
