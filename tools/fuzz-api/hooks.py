"""
What Schemathesis must know: ndjson is text; and in a POST or PUT, null for an optional member means absent (docs/api-design.md), which the
documents leave out for the sake of code generators.
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
