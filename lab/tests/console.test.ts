import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONTRACT_VERSION } from '@/lib/schemas/agent/report'
import { listAgents } from '@/lib/services/agent/list-agents'
import { enrollHost } from '@/lib/services/enrollment/enroll-host'
import { decideEnrollment } from '@/lib/services/enrollment-request/decide-enrollment'
import { createJoinToken } from '@/lib/services/join-token/create-join-token'
import { createLabConsole } from './lab-console'
import { openOperator, waitUntil } from './operator'
import { restartCompute } from './restart-compute'

const lab = createLabConsole()
let operator: Awaited<ReturnType<typeof openOperator>>
beforeAll(async () => {
  operator = await openOperator()
})
afterAll(() => operator.close())

type Round = Awaited<ReturnType<typeof lab.readRound>>

const alarms = (round: Round) => round.filter(({ severity }) => severity !== 'info')
const named = (round: Round, code: string) => round.filter((finding) => finding.code === code)
const T4_OF_GPU02 = 'gpu02_pci_0000_84_00_0'
const PGPU = { kind: 'pgpu', host: 'gpu02', address: '0000:84:00.0' }

describe('a console that watches the lab', () => {
  it('opens nothing on a healthy cloud, round after round', async () => {
    expect(alarms(await lab.readRound())).toEqual([])
    expect(alarms(await lab.readRound())).toEqual([])
  })

  it('names a host that is silent, and closes that when it reports again', async () => {
    lab.pass(300_000)
    const silent = await lab.readRound({ gpu02: { isSilent: true } })
    expect(alarms(silent)).toMatchObject([
      { code: 'host-silent', sourceToCorrect: 'agent', subject: { kind: 'host', host: 'gpu02' } },
    ])
    expect(alarms(await lab.readRound())).toEqual([])
  })

  it('names a host whose clock is off', async () => {
    expect(alarms(await lab.readRound({ gpu01: { aheadMs: 20 * 60_000 } }))).toMatchObject([
      { code: 'clock-off', sourceToCorrect: 'agent', subject: { kind: 'host', host: 'gpu01' } },
    ])
    expect(alarms(await lab.readRound())).toEqual([])
  })

  it('names an agent that is older than the console', async () => {
    const round = await lab.readRound({ gpu01: { agentVersion: '0.0.9' } })
    expect(named(round, 'agent-outdated')).toMatchObject([
      { sourceToCorrect: 'agent', subject: { kind: 'host', host: 'gpu01' } },
    ])
    expect(named(await lab.readRound(), 'agent-outdated')).toEqual([])
  })

  it('names a host that nova-compute calls otherwise', async () => {
    const round = await lab.readRound({ gpu01: { hostName: 'gpu91' } })
    expect(named(round, 'host-not-joined')).toMatchObject([
      { sourceToCorrect: 'nova', subject: { kind: 'host', host: 'gpu91' } },
    ])
  })
})

describe('a provider that was deleted', () => {
  it('is missed, and after nova-compute recreated it its trait is missed', async () => {
    const before = await operator.providerNamed(T4_OF_GPU02)
    await operator.placement.deleteProvider(before?.uuid ?? '')
    // Every source reports it twice: a server that moves may only look so for a moment.
    await lab.readRound()
    expect(named(await lab.readRound(), 'pgpu-without-provider')).toMatchObject([
      { sourceToCorrect: 'placement', subject: PGPU },
    ])
    // The finding's own next step.
    await restartCompute(operator, 'gpu02')
    await waitUntil('another provider', async () => {
      const provider = await operator.providerNamed(T4_OF_GPU02)
      if (provider === null || provider.uuid === before?.uuid) return null
      const { inventories } = await operator.placement.getInventories(provider.uuid)
      return inventories.VGPU?.total === 4 ? provider : null
    })
    const lost = await lab.readRound()
    expect(named(lost, 'pgpu-without-provider')).toEqual([])
    expect(named(lost, 'trait-lost')).toMatchObject([{ sourceToCorrect: 'placement', subject: PGPU }])
    await operator.tagAgain({ name: T4_OF_GPU02, total: 4, trait: 'CUSTOM_GRID_T4_4Q' })
    expect(named(await lab.readRound(), 'trait-lost')).toEqual([])
  })
})

describe('a host that enrolls again with an unbound join token', () => {
  it('waits for an admin, who approves it', async () => {
    await lab.readRound()
    const { token } = await createJoinToken(lab.context(), {
      body: { cloud: lab.cloud().name, label: 'rack', lifetimeMinutes: 60, maxUses: 1, hostName: null },
      origin: 'https://console.test',
    })
    const enroll = () =>
      enrollHost(lab.context(), {
        token,
        request: { contractVersion: CONTRACT_VERSION, hostName: 'gpu01', agentVersion: '0.1.0' },
        intervalSeconds: 30,
        address: '192.0.2.7',
        requester: 'a-reinstalled-agent-0001',
      })
    await expect(enroll()).rejects.toThrow(/waiting for approval/)
    expect(named(await lab.readRound(), 'enrollment-waiting')).toMatchObject([
      { sourceToCorrect: null, subject: { kind: 'host', host: 'gpu01' } },
    ])
    const { enrollmentRequests } = await listAgents(lab.context(), { cloud: lab.cloud().name })
    for (const { id } of enrollmentRequests)
      await decideEnrollment(lab.context(), { id, body: { decision: 'approve' } })
    expect(named(await lab.readRound(), 'enrollment-waiting')).toEqual([])
    // Last: from now on the console refuses what the tests report as gpu01.
    expect(await enroll()).toMatchObject({ hostName: 'gpu01' })
  })
})
