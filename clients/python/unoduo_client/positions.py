"""Positions as text, to test a bot with."""

import json

from google.protobuf import json_format
from unoduo.v1 import observation_pb2


def observation_from_json(text: str) -> observation_pb2.Observation:
    """Returns an observation that is given in protobuf's JSON, such as a line of the bridge has.

    Kinds, fields and enum names of a later version of the protocol are skipped. Raises ValueError for what is none.
    """
    fields = json.loads(text)
    if not isinstance(fields, dict):
        # Else protobuf would take an empty list for an empty message.
        raise ValueError("an observation is a JSON object")
    try:
        return json_format.ParseDict(fields, observation_pb2.Observation(), ignore_unknown_fields=True)
    except json_format.ParseError as error:
        raise ValueError(str(error)) from None
