import 'server-only'
import * as z from 'zod'
import type { AuditAction } from '@/lib/domain/access/audit-action'
import type { ManagedTrait } from '@/lib/domain/cloud/fleet-types'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Actor } from '@/lib/server/context/service-context'
import type { Database, Query } from '@/lib/server/database/database'
import type { Prisma } from '@/lib/server/prisma-client/client'

/** Another console may be at it, and a refusal does not change within seconds. */
const RETRY_MS = 60_000

// SQL: Prisma's client has no row locks.
const LOCK = `
SELECT provider_uuid AS "providerUuid", intent_uuid AS "intentUuid", intent_at AS "intentAt", problem, change_id AS "changeId",
  kept_by AS "addedBy" FROM kept_trait WHERE cloud_id = $1 AND host = $2 AND address = $3 AND trait = $4 FOR NO KEY UPDATE`

const managedRow = z.object({
  providerUuid: z.string().nullable(),
  intentUuid: z.string().nullable(),
  intentAt: z.date().nullable(),
  problem: z.string().nullable(),
  changeId: z.int(),
  addedBy: z.string(),
})
type Row = z.infer<typeof managedRow>

/** Nothing is in progress, and nothing failed. */
const SETTLED = { intentUuid: null, intentAt: null, problem: null } satisfies Prisma.ManagedTraitUpdateInput

/** The console itself, with its service account. */
const ACTOR: Actor = { kind: 'system' }

type Input = { database: Database; cloud: { id: number; name: string }; trait: ManagedTrait; at: Date }

/** `updateMany`: the row may have been deleted. */
const whereOf = ({ cloud, trait: { host, address, trait } }: Input) => ({
  cloudId: cloud.id,
  host,
  address,
  trait,
})

const lock = async (
  query: Query,
  { cloud, trait: { host, address, trait } }: Input,
): Promise<Row | undefined> => (await query(LOCK, [cloud.id, host, address, trait], managedRow))[0]

const audit = (
  query: Query,
  { cloud, trait: { host, pgpuAddress, trait, providerName }, at }: Input,
  { action, before, after }: { action: AuditAction; before: unknown; after: Record<string, unknown> },
): Promise<void> =>
  writeAudit(query, {
    at,
    actor: ACTOR,
    cloud: cloud.name,
    action,
    subject: `kept-trait:${host}/${pgpuAddress}/${trait}`,
    before,
    after: { ...after, provider: providerName, trait },
  })

const isResting = ({ intentUuid, intentAt }: Row, uuid: string, at: Date): boolean =>
  intentUuid === uuid && intentAt !== null && at.getTime() - intentAt.getTime() < RETRY_MS

/**
 * Records that a trait is about to be set on a provider. False: the management was ended, a change has the pGPU, or it is
 * being tried already.
 */
export const beginPutBack = (input: Input, uuid: string): Promise<boolean> =>
  input.database.transaction(async ({ prisma, query }) => {
    const { trait, cloud, at } = input
    const row = await lock(query, input)
    if (row === undefined || row.providerUuid !== trait.providerUuid || isResting(row, uuid, at)) return false
    const claimed = { cloudId: cloud.id, host: trait.host, address: trait.pgpuAddress }
    if ((await prisma.changeClaim.count({ where: claimed })) > 0) return false
    await prisma.managedTrait.updateMany({ where: whereOf(input), data: { intentUuid: uuid, intentAt: at } })
    // A repeated attempt is not recorded again.
    if (row.intentUuid === uuid) return true
    await audit(query, input, {
      action: 'kept-trait.begin',
      before: { providerUuid: row.providerUuid },
      after: { providerUuid: uuid, change: row.changeId, addedBy: row.addedBy },
    })
    return true
  })

/** Records that the trait is on, and at which generation it was written. */
export const recordPutBack = (
  input: Input,
  { uuid, generation, traits }: { uuid: string; generation: number | null; traits: readonly string[] },
): Promise<void> =>
  input.database.transaction(async ({ prisma, query }) => {
    await prisma.managedTrait.updateMany({
      where: whereOf(input),
      data: { ...SETTLED, providerUuid: uuid, putBackAt: input.at, putBackCount: { increment: 1 } },
    })
    await audit(query, input, {
      action: 'kept-trait.put-back',
      before: null,
      after: { providerUuid: uuid, generation, traits },
    })
  })

/** Records that a provider has the trait, set by the console or by others: from now on a loss of it is detected. */
export const recordCarried = async (input: Input, uuid: string): Promise<void> => {
  await input.database.prisma.managedTrait.updateMany({
    where: whereOf(input),
    data: { ...SETTLED, providerUuid: uuid },
  })
}

/** Records why it could not be restored. An unchanged reason is not written into the audit again. */
export const recordProblem = (input: Input, problem: string): Promise<void> =>
  input.database.transaction(async ({ prisma, query }) => {
    const row = await lock(query, input)
    if (row === undefined) return
    await prisma.managedTrait.updateMany({ where: whereOf(input), data: { problem } })
    if (row.problem === problem) return
    await audit(query, input, {
      action: 'kept-trait.fail',
      before: { problem: row.problem },
      after: { providerUuid: row.intentUuid, problem },
    })
  })
