#!/bin/sh
# A bot in jq: gets rid of as many cards as it can, and never forgets to say UNO.
exec jq --null-input --unbuffered --compact-output '
  inputs.observation.decision
  | select(.)
  | .legal
  | to_entries
  | max_by(.value.play | (.cards | length), .uno)
  | {legal: .key}
'
