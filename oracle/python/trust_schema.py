"""Skips a check that takes most of the time of a question."""
import jsonschema


def trust_schema(schema):
    """Each alias would check Nova's own schema again."""
    jsonschema.validators.validator_for(schema).check_schema = lambda *_, **__: None
