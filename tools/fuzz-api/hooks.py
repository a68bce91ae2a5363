"""
What Schemathesis must know: ndjson is text; in a POST or PUT, null for an optional member means absent (docs/api-design.md), which the
documents leave out for the sake of code generators; and which parameters a list may refuse although they conform to the document.
"""

import re

import schemathesis

schemathesis.serializer.alias("application/x-ndjson", "text/plain")


@schemathesis.hook
def before_load_schema(context, raw_schema):
    schemas = raw_schema["components"]["schemas"]

    def referenced(part):
        for name in re.findall(r"'#/components/schemas/(\w+)'", str(part)):
            if name not in names:
                names.add(name)
                referenced(schemas[name])

    names = set()
    for operations in raw_schema["paths"].values():
        for method in ("post", "put"):
            referenced(operations.get(method, {}).get("requestBody"))
    for schema in map(schemas.get, names):
        for name, member in schema.get("properties", {}).items():
            if name not in schema.get("required", []):
                schema["properties"][name] = {"anyOf": [member, {"type": "null"}]}


# A cursor only works for the listing and filters that it was issued for, and cannot be invented; period_end needs period; a window has two
# ends in one time zone of the IANA database, and an instant that is settled, or all of it, and the partner_id, comes from a closing;
# Schemathesis thinks that the pattern allows an empty If-Match or If-None-Match.
BEYOND_THE_DOCUMENT = {
    "_page_cursor", "period_end", "from", "to", "timezone", "closing", "recorded_from", "recorded_until", "until_closing",
    "partner_id", "if-match", "if-none-match",
}  # fmt: skip


@schemathesis.check
def read_is_only_refused_for_what_a_document_cannot_say(ctx, response, case):
    if case.method == "GET" and response.status_code == 422 and case.meta and case.meta.generation.mode.is_positive:
        named = {error.get("parameter") for error in response.json()["errors"]}
        assert named <= BEYOND_THE_DOCUMENT, f"{case.operation.label} refuses {sorted(map(str, named - BEYOND_THE_DOCUMENT))}"
