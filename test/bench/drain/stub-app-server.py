"""An app-server that thinks for 50 ms and does nothing: what a run costs besides it is the worker's.

It tells the benchmark that an issue is done by a file of the issue's name, as a person would move it in the tracker.
Python starts several times faster than Node, so that the agents themselves cost little.
"""
import json
import os
import sys
import time

done_folder, turn_ms = sys.argv[1], int(sys.argv[2])


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def thread(cwd):
    return {
        "id": "thread", "sessionId": "thread", "cliVersion": "0.166.0", "createdAt": 1, "updatedAt": 1, "cwd": cwd,
        "ephemeral": False, "modelProvider": "stub", "preview": "", "projectId": None, "source": "appServer",
        "status": {"type": "idle"}, "turns": [],
    }


def opened(params):
    return {
        "thread": thread(params["cwd"]), "model": "stub", "modelProvider": "stub", "cwd": params["cwd"],
        "approvalPolicy": params.get("approvalPolicy"), "approvalsReviewer": "user",
        "sandbox": {"type": "dangerFullAccess"},
    }


def turn(status):
    return {"id": "turn", "items": [], "status": status, "error": None}


for line in sys.stdin:
    message = json.loads(line)
    method, number = message.get("method"), message.get("id")
    if number is None:
        continue
    if method == "initialize":
        result = {"userAgent": "stub/0.166.0", "codexHome": "/", "platformFamily": "unix", "platformOs": "linux"}
    elif method in ("thread/start", "thread/resume"):
        result = opened(message["params"])
    elif method == "turn/start":
        result = {"turn": turn("inProgress")}
    else:
        result = {}
    send({"id": number, "result": result})
    if method == "turn/start":
        open(os.path.join(done_folder, os.path.basename(os.getcwd())), "w").close()
        send({"method": "turn/started", "params": {"threadId": "thread", "turn": turn("inProgress")}})
        time.sleep(turn_ms / 1000)
        send({"method": "turn/completed", "params": {"threadId": "thread", "turn": turn("completed")}})
