package wire

import (
	"strings"
	"testing"
)

var sample = schema("sample",
	num(1, "number").upTo(300), enum(2, "kind", 3).must(), blob(3, "blob", 2), text(4, "text"),
	list(5, "cards", lastCard), messages(6, "parts", schema("part", num(1, "n"))),
	num(7, "zero_too").alternative(), text(8, "empty_too").alternative())

func TestCanonicalMessageIsRead(t *testing.T) {
	data := "\x08\xac\x02\x10\x03\x1a\x02ab\x22\x02\xc3\xa9\x2a\x02\x01\x36\x32\x02\x08\x01\x32\x00\x38\x00"
	message, err := Read(sample, []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	kind, _ := message.Kind()
	parts := message.Messages("parts")
	if message.Number("number") != 300 || message.Number("kind") != 3 || string(message.Bytes("blob")) != "ab" ||
		string(message.Bytes("text")) != "é" || string(message.Bytes("cards")) != "\x01\x36" || len(parts) != 2 ||
		parts[0].Number("n") != 1 || kind != "zero_too" || message.Number("unknown") != 0 {
		t.Errorf("read %+v", message)
	}
}

func TestOtherFormsAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ data, field string }{
		"unknown field":              {"\x10\x01\x48\x01", "field 9"},
		"field zero":                 {"\x00\x01", "field 0"},
		"tag of two bytes for one":   {"\x90\x00\x01", "a tag"},
		"fields out of order":        {"\x10\x01\x08\x01", "sample.number"},
		"field twice":                {"\x10\x01\x10\x01", "sample.kind"},
		"wire type of another field": {"\x12\x01\x01", "sample.kind"},
		"group":                      {"\x13", "sample.kind"},
		"default written out":        {"\x08\x00\x10\x01", "sample.number"},
		"varint cut short":           {"\x10\x81", "sample.kind"},
		"varint of two bytes for 1":  {"\x10\x81\x00", "sample.kind"},
		"varint of 33 bits":          {"\x08\x80\x80\x80\x80\x10\x10\x01", "sample.number"},
		"varint of 64 bits":          {"\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "sample.kind"},
		"number above its range":     {"\x08\xad\x02\x10\x01", "sample.number"},
		"enum number unknown":        {"\x10\x04", "sample.kind"},
		"required field missing":     {"\x08\x01", "sample.kind"},
		"bytes of another size":      {"\x10\x01\x1a\x01a", "sample.blob"},
		"empty bytes":                {"\x10\x01\x1a\x00", "sample.blob"},
		"longer than its message":    {"\x10\x01\x1a\x03ab", "sample.blob"},
		"text that is not UTF-8":     {"\x10\x01\x22\x01\xff", "sample.text"},
		"card zero":                  {"\x10\x01\x2a\x02\x01\x00", "sample.cards[1]"},
		"card 55":                    {"\x10\x01\x2a\x01\x37", "sample.cards[0]"},
		"cards not packed":           {"\x10\x01\x28\x01", "sample.cards"},
		"no cards":                   {"\x10\x01\x2a\x00", "sample.cards"},
		"below, a default":           {"\x10\x01\x32\x02\x08\x00", "sample.parts.n"},
		"two kinds":                  {"\x10\x01\x38\x00\x42\x00", "sample: has 2 kinds"},
	} {
		if _, err := Read(sample, []byte(c.data)); err == nil {
			t.Errorf("%s: was read", name)
		} else if !strings.Contains(err.Error(), c.field) {
			t.Errorf("%s: %s, must name %s", name, err, c.field)
		}
	}
}
