import { mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { revokeAgent } from '@/lib/services/agent/revoke-agent'
import { decideEnrollment } from '@/lib/services/enrollment-request/decide-enrollment'
import { hostProblemsSchema } from '@/lib/services/stored-host/find-host'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import type { Database } from '../database/database'
import { createTestDatabase } from '../testing/test-database'
import { type AgentConsole, startAgentConsole } from './testing/agent-console'
import { startInstallConsole } from './testing/install-console'
import { bootSystemd, canBootSystemd, type RealSystemd } from './testing/real-systemd'

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const UNIT = 'sliceboard-agent.service'
/** Of accounts that this machine need not have: libvirt's and nova's own. */
const OTHERS = { libvirt: 64_055, nova: 64_060 }

/** Each step continues where the previous one ended, as on a host. */
describe.skipIf(!canBootSystemd)('the installed agent under a real systemd', () => {
  let directory: string
  let database: Database
  let agents: AgentConsole
  let web: Awaited<ReturnType<typeof startInstallConsole>>
  let host: RealSystemd
  let line: string

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'sliceboard-real-systemd-'))
    database = await createTestDatabase()
    await addCloud(database, 'lab')
    agents = await startAgentConsole({ database })
    web = await startInstallConsole(agents, directory)
    host = await bootSystemd()
    await host.sh(`mkdir -p /etc/libvirt/qemu /etc/nova
      echo '<domain type="kvm"><name>instance-0000000a</name><uuid>11111111-2222-3333-4444-555555555555</uuid></domain>' \\
        > /etc/libvirt/qemu/instance-0000000a.xml
      printf '[devices]\\nenabled_mdev_types = nvidia-35\\n' > /etc/nova/nova.conf
      chmod 600 /etc/libvirt/qemu/instance-0000000a.xml /etc/nova/nova.conf
      chown ${OTHERS.libvirt} /etc/libvirt/qemu/instance-0000000a.xml
      chown ${OTHERS.nova} /etc/nova/nova.conf`)
    line = await newLine()
  })
  afterAll(async () => {
    await host?.stop()
    await web?.stop()
    await agents?.stop()
    await database?.close()
    await rm(directory, { recursive: true, force: true })
  })

  const lineWith = (token: string) =>
    `(umask 077 && echo ${token} >/tmp/token) && curl -fsSL ${web.url}/install.sh | sh -s -- --token-file /tmp/token`
  const newLine = async () => lineWith(await agents.joinToken({ hostName: hostname() }))
  const stored = () => database.prisma.host.findFirst({ where: { name: hostname() } })
  const show = async (...names: string[]): Promise<Record<string, string>> => {
    const text = await host.sh(`systemctl show ${UNIT} -p ${names.join(',')}`)
    return Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((pair) => pair.split(/=(.*)/s).slice(0, 2)),
    )
  }
  const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 45_000, interval: 200 })

  it('is started by the copied line, and reads what only others may read', async () => {
    expect(await host.sh(line)).toContain('The host is enrolled and reports to the console.')
    expect(await show('ActiveState', 'UnitFileState')).toEqual({
      ActiveState: 'active',
      UnitFileState: 'enabled',
    })
    await until(async () => expect(await stored()).toMatchObject({ guestCount: 1, deployment: 'package' }))
    const { problems } = await database.prisma.host.findFirstOrThrow()
    expect(
      hostProblemsSchema.parse(problems).filter(({ source }) => /^\/etc\/(libvirt|nova)/.test(source)),
    ).toEqual([])
  })

  it('writes nowhere but into its own folder', async () => {
    const pid = (await show('MainPID')).MainPID
    const inside = (command: string) => host.sh(`nsenter -t ${pid} -m -r -w -- sh -c '${command}'`)
    await inside('touch /var/lib/sliceboard/probe && rm /var/lib/sliceboard/probe')
    for (const folder of ['/etc', '/usr/local/lib/sliceboard', '/etc/libvirt/qemu'])
      await expect(inside(`touch ${folder}/probe`)).rejects.toThrow('Read-only file system')
  })

  it('is started again after it was killed, as the next start of the same host', async () => {
    const before = await stored()
    await host.sh(`systemctl kill -s KILL ${UNIT}`)
    await until(async () => {
      expect(await show('ActiveState', 'NRestarts')).toEqual({ ActiveState: 'active', NRestarts: '1' })
      expect(await stored()).toMatchObject({ boot: (before?.boot ?? 0) + 1 })
    })
  })

  it('is installed a second time over itself', async () => {
    expect(await host.sh(line)).toContain('Kept /etc/sliceboard/agent.toml unchanged.')
    expect(await show('ActiveState')).toEqual({ ActiveState: 'active' })
    expect(await database.prisma.host.count()).toBe(1)
  })

  it('stays out when its credential was revoked, with any earlier line, and returns with a new one', async () => {
    const { id } = await database.prisma.agentCredential.findFirstOrThrow({ where: { revokedAt: null } })
    await revokeAgent(agents.ctx, { credentialId: id })
    await host.sh(`systemctl restart ${UNIT}`)
    await until(async () =>
      expect(await host.sh(`journalctl -u ${UNIT} --no-pager`)).toMatch(/console refuses this host/),
    )
    expect(await show('ActiveState')).toEqual({ ActiveState: 'active' })
    const output = await host.sh(`(${line}) 2>&1; echo "status $?"`)
    expect(output).toMatch(/was revoked at .*, after this join token was made/)
    expect(output).toMatch(/status 3\n$/)
    line = await newLine()
    expect(await host.sh(line)).toContain('The host is enrolled and reports to the console.')
  })

  it('stays down with a setting that is wrong, since to try again changes nothing', async () => {
    await host.sh(`cp /etc/sliceboard/agent.toml /tmp/kept && echo 'interval = "soon"' >> /etc/sliceboard/agent.toml
      systemctl restart ${UNIT}`)
    await until(async () =>
      expect(await show('ActiveState', 'ExecMainStatus')).toEqual({
        ActiveState: 'failed',
        ExecMainStatus: '78',
      }),
    )
    await host.sh(`cp /tmp/kept /etc/sliceboard/agent.toml && systemctl restart ${UNIT}`)
    expect(await show('ActiveState')).toEqual({ ActiveState: 'active' })
  })

  it('is installed and states the reason if the console does not accept the host', async () => {
    await host.sh(`curl -fsSL ${web.url}/install.sh | sh -s -- --uninstall --purge`)
    const wrong = lineWith(`sbjt_${'x'.repeat(43)}`)
    const output = await host.sh(`(${wrong}) 2>&1; echo "status $?"`)
    expect(output).toContain('The host is not enrolled yet. The console does not know this join token.')
    expect(output).toContain('The agent is running and keeps trying.')
    expect(output).toMatch(/status 3\n$/)
    expect(await show('ActiveState')).toEqual({ ActiveState: 'active' })
    expect(await host.sh(line)).toContain('The host is enrolled and reports to the console.')
  })

  it('waits for an admin where the host was reinstalled with a token that is not bound to it', async () => {
    await host.sh(`curl -fsSL ${web.url}/install.sh | sh -s -- --uninstall --purge`)
    const output = await host.sh(`(${lineWith(await agents.joinToken())}) 2>&1; echo "status $?"`)
    expect(output).toMatch(/The host is not enrolled yet\. .*waiting for approval/)
    expect(output).toMatch(/status 3\n$/)
    const { id } = await database.prisma.pendingEnrollment.findFirstOrThrow()
    await decideEnrollment(agents.ctx, { id, body: { decision: 'approve' } })
    await host.sh(`systemctl restart ${UNIT}`)
    await until(async () => {
      const live = await database.prisma.agentCredential.findFirst({ where: { revokedAt: null } })
      expect(live?.lastUsedAt ?? null).not.toBeNull()
      expect(await host.sh('ls /var/lib/sliceboard')).not.toMatch(/join-token|enrollment/)
    })
  })

  it('goes without a trace', async () => {
    const output = await host.sh(`curl -fsSL ${web.url}/install.sh | sh -s -- --uninstall --purge`)
    expect(output).toContain('are removed. Revoke its credential in the console.')
    expect(await show('LoadState')).toEqual({ LoadState: 'not-found' })
    expect(await host.sh("find /etc /run /usr/local /var/lib -name '*sliceboard*'")).toBe('')
  })
})
