"""Sessions and requests of the lab's own scripts, as the admin."""
import os

from keystoneauth1 import session
from keystoneauth1.identity import v3

PASSWORD = os.environ["LAB_PASSWORD"]
KEYSTONE = os.environ["KEYSTONE_URL"]
REGION = os.environ["LAB_REGION"]


def admin_session(system=False):
    scope = {"system_scope": "all"} if system else {"project_name": "admin", "project_domain_id": "default"}
    return session.Session(auth=v3.Password(KEYSTONE, username="admin", password=PASSWORD,
                                            user_domain_id="default", **scope))


def api_of(admin, service_type, version=None):
    """A function that asks one service and ends the script with the service's own words when it refuses."""
    headers = {"OpenStack-API-Version": "%s %s" % (service_type, version)} if version else {}

    def ask(method, path, body=None, accepted=(200, 201, 202, 204)):
        answer = admin.request(path, method, json=body, headers=dict(headers), raise_exc=False,
                               endpoint_filter={"service_type": service_type, "interface": "public"})
        if answer.status_code not in accepted:
            raise SystemExit("lab: %s %s -> %d %s" % (method, path, answer.status_code, answer.text[:300]))
        return answer.json() if answer.content else None
    return ask
