import { beforeAll, expect, test } from 'vitest'
import type { Actor, ServiceContext } from '@/lib/server/context/service-context'
import { revokeAgent } from '@/lib/services/agent/revoke-agent'
import { actOnChange } from '@/lib/services/change/act-on-change'
import { approveChange } from '@/lib/services/change/approve-change'
import { getChange, getChangeProgress } from '@/lib/services/change/get-change'
import { getRunbook } from '@/lib/services/change/get-runbook'
import { listChangeSteps } from '@/lib/services/change/list-change-steps'
import { setTerms } from '@/lib/services/change/set-terms'
import { skipStep } from '@/lib/services/change/skip-step'
import { decideEnrollment } from '@/lib/services/enrollment-request/decide-enrollment'
import { acknowledgeFinding, endAcknowledgement } from '@/lib/services/finding/acknowledge-finding'
import { getFinding } from '@/lib/services/finding/get-finding'
import { revokeJoinToken } from '@/lib/services/join-token/revoke-join-token'
import { exportReview } from '@/lib/services/review/export-review'
import { getReview } from '@/lib/services/review/get-review'
import { deleteScenario } from '@/lib/services/scenario/delete-scenario'
import { getScenario } from '@/lib/services/scenario/get-scenario'
import { saveScenario } from '@/lib/services/scenario/save-scenario'
import { writeHost } from './fleet-rows'
import { createServiceWorld, NOW } from './service-world'

const world = createServiceWorld()

/** An admin who signed in to one cloud of a console that serves several. */
const adminOf = (cloud: string): Actor => ({
  kind: 'user',
  name: 'otto@Default',
  roles: ['admin'],
  account: {
    cloud,
    userId: 'u-otto',
    userName: 'otto',
    userDomain: 'Default',
    scope: { kind: 'system' },
    source: { kind: 'session', sessionId: 1, sessionHash: 'h1' },
  },
})

/** One row of each kind that is requested by its number alone, of one cloud. */
const addRows = async (cloudId: number) => {
  const { prisma } = world.database()
  const by = { madeBy: 'user:anna', madeAt: NOW }
  const change = await prisma.change.create({
    data: {
      ...{ cloudId, kind: 'traits', title: 'Traits of 1 pGPU', input: {}, preview: {}, ...by },
      ...{ lastAction: 'plan', lastBy: 'user:anna', lastAt: NOW, needsApproval: true },
    },
  })
  const finding = await prisma.finding.create({
    data: {
      ...{ cloudId, key: 'k', code: 'host-silent', severity: 'warning', subjectKind: 'host', host: 'cmp-01' },
      ...{ body: {}, openedAt: NOW, changedAt: NOW },
    },
  })
  const review = await prisma.review.create({
    data: {
      ...{ cloudId, period: '2026-10', timeZone: 'UTC', filterBy: 'all', filterKey: '', region: null, ...by },
      ...{ periodFrom: NOW, periodUntil: NOW, contentVersion: 1, content: '{}', fingerprint: 'f' },
    },
  })
  const token = await prisma.joinToken.create({
    data: {
      cloudId,
      hash: `h${cloudId}`,
      label: 'rack 7',
      maxUses: 1,
      createdBy: 'user:anna',
      expiresAt: NOW,
    },
  })
  const enrollment = await prisma.pendingEnrollment.create({
    data: {
      ...{
        cloudId,
        hostName: 'cmp-01',
        reason: 'live-credential',
        joinTokenId: token.id,
        requesterHash: 'r',
      },
      ...{ address: '10.0.0.7', agentVersion: '0.1.0', firstAt: NOW, lastAt: NOW },
    },
  })
  const hostId = await writeHost(world.database(), { cloudId, name: 'cmp-01', pgpus: [] })
  const credential = await prisma.agentCredential.create({
    data: { cloudId, hostId, enrolment: 1, secretHash: `s${cloudId}` },
  })
  const scenario = await prisma.scenario.create({
    data: {
      ...{ cloudId, name: 'Q1 expansion', steps: { version: 1, steps: [] } },
      ...{ createdBy: 'user:anna', createdAt: NOW, savedBy: 'user:anna', savedAt: NOW },
    },
  })
  return {
    scenario: scenario.id,
    change: change.id,
    finding: finding.id,
    review: review.id,
    token: token.id,
    enrollment: enrollment.id,
    credential: credential.id,
  }
}

type Rows = Awaited<ReturnType<typeof addRows>>
const seen = { version: 1 }
const WORK: Record<string, (ctx: ServiceContext, rows: Rows) => Promise<unknown>> = {
  getChange: (ctx, { change: id }) => getChange(ctx, { id }),
  getChangeProgress: (ctx, { change: id }) => getChangeProgress(ctx, { id }),
  listChangeSteps: (ctx, { change: id }) => listChangeSteps(ctx, { id }),
  getRunbook: (ctx, { change: id }) => getRunbook(ctx, { id, format: 'md' }),
  actOnChange: (ctx, { change: id }) => actOnChange(ctx, { id, body: { ...seen, action: 'drop' } }),
  approveChange: (ctx, { change: id }) => approveChange(ctx, { id, body: seen }),
  setTerms: (ctx, { change: id }) =>
    setTerms(ctx, { id, body: { ...seen, needsApproval: false, window: null, batchHosts: null } }),
  skipStep: (ctx, { change: id }) => skipStep(ctx, { id, position: 0, body: { ...seen, reason: 'late' } }),
  getFinding: (ctx, { finding: id }) => getFinding(ctx, { id }),
  acknowledgeFinding: (ctx, { finding: id }) =>
    acknowledgeFinding(ctx, { id, body: { note: 'ours', days: 1 } }),
  endAcknowledgement: (ctx, { finding: id }) => endAcknowledgement(ctx, { id }),
  getReview: (ctx, { review: id }) => getReview(ctx, { id }),
  exportReview: (ctx, { review: id }) => exportReview(ctx, { id, format: 'json' }),
  getScenario: (ctx, { scenario: id }) => getScenario(ctx, { id }),
  saveScenario: (ctx, { scenario: id }) =>
    saveScenario(ctx, { id, body: { ...seen, name: 'ours', steps: [] } }),
  deleteScenario: (ctx, { scenario: id }) => deleteScenario(ctx, { id }),
  revokeJoinToken: (ctx, { token: id }) => revokeJoinToken(ctx, { id }),
  decideEnrollment: (ctx, { enrollment: id }) => decideEnrollment(ctx, { id, body: { decision: 'approve' } }),
  revokeAgent: (ctx, { credential: credentialId }) => revokeAgent(ctx, { credentialId }),
}

let rows: Rows
let other = ''
beforeAll(async () => {
  rows = await addRows((await world.newCloud()).id)
  other = (await world.newCloud()).name
})

const everything = async (): Promise<unknown> => {
  const { prisma } = world.database()
  return Promise.all([
    prisma.change.findMany(),
    prisma.finding.findMany(),
    prisma.joinToken.findMany(),
    prisma.scenario.findMany(),
    prisma.agentCredential.findMany(),
    prisma.pendingEnrollment.findMany(),
    prisma.auditEntry.count(),
  ])
}

test.each(Object.entries(WORK))(
  '%s finds nothing of another cloud and changes nothing there',
  async (_name, work) => {
    const before = await everything()
    const missing = Object.fromEntries(Object.keys(rows).map((key) => [key, 999_999])) as Rows
    const ctx = world.ctx(adminOf(other))
    const refused = await work(ctx, rows).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'not_found' })
    // The answer is the same as for a missing row.
    const nowhere = await work(ctx, missing).catch((error: unknown) => error)
    const wordsOf = (error: unknown): string => String((error as Error).message).replaceAll(/\d+/g, 'N')
    expect(wordsOf(refused)).toBe(wordsOf(nowhere))
    expect(await everything()).toEqual(before)
  },
)
