"""A minimal Neutron: every collection is empty. Enough for servers without a network.

The third argument is a file with the list of agents; without the file that list is empty too.
"""
import json
import os
import sys
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIServer, make_server

COLLECTIONS = {"networks", "ports", "subnets", "security-groups", "floatingips", "extensions", "routers",
               "agents", "security-group-rules", "segments"}
QUOTA = {name: -1 for name in ("port", "network", "security_group", "floatingip", "security_group_rule")}


def answer(method, parts, host):
    if not parts:
        link = {"rel": "self", "href": "http://%s/v2.0/" % host}
        return {"versions": [{"id": "v2.0", "status": "CURRENT", "links": [link]}]}
    if parts[0] != "v2.0" or method != "GET":
        return None
    if len(parts) == 1:
        return {"resources": []}
    name = parts[1].removesuffix(".json")
    if parts[1:] == ["agents"] and os.path.exists(sys.argv[3]):
        with open(sys.argv[3]) as file:
            return {"agents": json.load(file)}
    if len(parts) == 2 and name in COLLECTIONS:
        return {name.replace("-", "_"): []}
    return {"quota": QUOTA} if name == "quotas" else None


def application(environ, start_response):
    parts = [part for part in environ["PATH_INFO"].split("/") if part]
    body = answer(environ["REQUEST_METHOD"], parts, environ.get("HTTP_HOST", ""))
    status = "200 OK"
    if body is None:
        status = "404 Not Found"
        body = {"NeutronError": {"type": "NotFound", "message": "", "detail": ""}}
    data = json.dumps(body).encode()
    start_response(status, [("Content-Type", "application/json"), ("Content-Length", str(len(data)))])
    return [data]


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


make_server(sys.argv[1], int(sys.argv[2]), application, server_class=Server).serve_forever()
