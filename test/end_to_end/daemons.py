"""A Slurm of one node and an sshd, on free ports of this machine, with all their files in one folder. They run as children in the
foreground and die with the test, however that ends. Only root may start them."""

import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time

DEADLINE = 120  # seconds for a daemon to answer, on a machine with much else to do


def missing(*programs):
    """Why daemons cannot be started here; None: they can."""
    if os.geteuid() != 0:
        return "only root starts these daemons"
    lacking = [name for name in programs if shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin") is None]
    return f"{', '.join(lacking)}: not installed (scripts/setup --dev)" if lacking else None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, what, every=0.03):
    end = time.monotonic() + DEADLINE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"after {DEADLINE} s still not: {what}")
        time.sleep(every)


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class Daemons:
    """Children that stop() ends, the last first."""

    def __init__(self, folder):
        self.folder = folder
        self.children = []

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text, mode=0o600):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), mode)
        return self.path(name)

    def start(self, *command):
        with open(self.path("daemons.log"), "ab") as log:
            program = shutil.which(command[0], path=f"{os.environ['PATH']}:/usr/sbin")
            self.children.append(subprocess.Popen([program, *command[1:]], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                  preexec_fn=die_with_parent))
        return self.children[-1]

    def stop(self):
        for child in reversed(self.children):
            child.terminate()
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


SLURM_CONF = """\
ClusterName=here
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmdPort={node_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,sched_min_interval=10000,batch_sched_delay=0,bf_interval=1
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
KillWait=1
SlurmdParameters=config_overrides
GetEnvTimeout=0
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 RealMemory=2000 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class Slurm(Daemons):
    """`cred_expire`, 120 s unless it is said: a task that is requeued starts no sooner. `GetEnvTimeout=0`: a task has the environment
    in env_cache; what login shells say here, and how long they take for it, does not matter."""

    needs = ("munged", "slurmctld", "slurmd", "sbatch")

    def __init__(self, folder):
        super().__init__(folder)
        os.chmod(folder, 0o755)  # munged refuses folders that others may write to
        for name in ("state", "spool"):
            os.mkdir(self.path(name))
        self.host = socket.gethostname().split(".")[0]
        self.environment = {**os.environ, "SLURM_CONF": self.path("slurm.conf")}
        self.write("slurm.conf", SLURM_CONF.format(host=self.host, folder=folder, port=free_port(), node_port=free_port()), 0o644)
        os.mkdir(self.path("state/env_cache"))
        self.write(f"state/env_cache/{pwd.getpwuid(os.geteuid()).pw_name}", f"PATH={os.defpath}\n")
        with open(self.path("munge.key"), "wb") as key:
            key.write(os.urandom(128))
        os.chmod(self.path("munge.key"), 0o400)

    def begin(self):
        self.start("munged", "--foreground", "--force", f"--socket={self.path('munge.socket')}",
                   f"--key-file={self.path('munge.key')}", f"--pid-file={self.path('munge.pid')}",
                   f"--seed-file={self.path('munge.seed')}", f"--log-file={self.path('munge.log')}")
        wait_until(lambda: os.path.exists(self.path("munge.socket")), "munged listens")
        self.start("slurmctld", "-D", "-f", self.path("slurm.conf"))
        self.start("slurmd", "-D", "-f", self.path("slurm.conf"), "-N", self.host)
        wait_until(lambda: self.ask("sinfo", "-h", "-o", "%T").strip() == "idle", "the node is idle", every=0.1)

    def ask(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False).stdout

    def jobs(self):
        """Tasks that wait, run or end."""
        return self.ask("squeue", "-h", "-r", "-o", "%i %T").splitlines()

    def wait_for_jobs(self):
        """As long as something goes on with them."""
        jobs = self.jobs()
        while jobs:
            wait_until(lambda before=jobs: self.jobs() != before, f"one of {jobs} goes on", every=0.1)
            jobs = self.jobs()

    def stop(self):
        self.ask("scancel", "--user=root")
        try:
            self.wait_for_jobs()
        finally:
            super().stop()


SSHD_CONFIG = """\
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
PidFile none
AuthorizedKeysFile {folder}/user.pub
StrictModes no
UsePAM no
PermitRootLogin yes
MaxStartups 100
SetEnv HOME={folder}
"""

SSH_CONFIG = """\
Host one two
  HostName 127.0.0.1
  Port {port}
  User {user}
  IdentityFile {folder}/user
  IdentitiesOnly yes
  StrictHostKeyChecking no
  UserKnownHostsFile /dev/null
  LogLevel ERROR
"""


class Sshd(Daemons):
    """Hosts one and two, which are this machine: `ssh -F CONFIG one`. What shells read at home, and how long it takes, does not
    matter."""

    needs = ("sshd", "ssh", "ssh-keygen")

    def __init__(self, folder):
        super().__init__(folder)
        os.makedirs("/run/sshd", mode=0o755, exist_ok=True)  # compiled into sshd
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.path(name)], check=True)
        names = {"folder": folder, "port": free_port(), "user": pwd.getpwuid(os.geteuid()).pw_name}
        self.config = self.write("ssh_config", SSH_CONFIG.format(**names))
        self.write("sshd_config", SSHD_CONFIG.format(**names))

    def begin(self):
        self.start("sshd", "-D", "-f", self.path("sshd_config"))
        wait_until(lambda: subprocess.run(["ssh", "-F", self.config, "one", "true"], check=False, capture_output=True,
                                          stdin=subprocess.DEVNULL).returncode == 0, "sshd answers", every=0.1)
