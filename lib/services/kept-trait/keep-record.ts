import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { AuditAction } from '@/lib/domain/access/audit-action'
import type { KeptTrait } from '@/lib/domain/cloud/fleet-types'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Actor } from '@/lib/server/context/service-context'
import type { Database, Query } from '@/lib/server/database/database'

/** Another console may be at it, and a refusal does not change within seconds. */
const RETRY_MS = 60_000

const KEY = 'cloud_id = $1 AND host = $2 AND address = $3 AND trait = $4'

const LOCK = `
SELECT provider_uuid AS "providerUuid", intent_uuid AS "intentUuid", intent_at AS "intentAt", problem, change_id AS "changeId",
  kept_by AS "keptBy" FROM kept_trait WHERE ${KEY} FOR NO KEY UPDATE`

const CLAIM = 'SELECT 1 FROM change_claim WHERE cloud_id = $1 AND host = $2 AND address = $3'

const BEGIN = `UPDATE kept_trait SET intent_uuid = $5, intent_at = $6::timestamptz WHERE ${KEY}`

const CARRIED = `
UPDATE kept_trait SET provider_uuid = $5, intent_uuid = NULL, intent_at = NULL, problem = NULL WHERE ${KEY}`

const PUT = `
UPDATE kept_trait SET provider_uuid = $5, intent_uuid = NULL, intent_at = NULL, problem = NULL,
  put_back_at = $6::timestamptz, put_back_count = put_back_count + 1 WHERE ${KEY}`

const FAIL = `UPDATE kept_trait SET problem = $5 WHERE ${KEY}`

type Row = {
  providerUuid: string | null
  intentUuid: string | null
  intentAt: Date | null
  problem: string | null
  changeId: number
  keptBy: string
}

/** The console itself, with its service account. */
const ACTOR: Actor = { kind: 'system' }

type Input = { database: Database; cloud: { id: number; name: string }; kept: KeptTrait; at: Date }

const keyOf = ({ cloud, kept: { host, address, trait } }: Input) => [cloud.id, host, address, trait]

const lock = async (query: Query, input: Input): Promise<Row | undefined> =>
  (await query(LOCK, keyOf(input), uncheckedRow<Row>()))[0]

const audit = (
  query: Query,
  { cloud, kept: { host, pgpuAddress, trait, providerName }, at }: Input,
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

/** Records that a trait is about to be put on a provider. False: somebody ended the keeping, a change has the pGPU, or it is tried already. */
export const beginPutBack = (input: Input, uuid: string): Promise<boolean> =>
  input.database.transaction(async ({ query }) => {
    const { kept, cloud, at } = input
    const row = await lock(query, input)
    if (row === undefined || row.providerUuid !== kept.providerUuid || isResting(row, uuid, at)) return false
    const [claim] = await query(CLAIM, [cloud.id, kept.host, kept.pgpuAddress])
    if (claim !== undefined) return false
    await query(BEGIN, [...keyOf(input), uuid, at])
    // A try that is made again says nothing new.
    if (row.intentUuid === uuid) return true
    await audit(query, input, {
      action: 'kept-trait.begin',
      before: { providerUuid: row.providerUuid },
      after: { providerUuid: uuid, change: row.changeId, keptBy: row.keptBy },
    })
    return true
  })

/** Records that the trait is on, and at which generation it was written. */
export const recordPutBack = (
  input: Input,
  { uuid, generation, traits }: { uuid: string; generation: number | null; traits: readonly string[] },
): Promise<void> =>
  input.database.transaction(async ({ query }) => {
    await query(PUT, [...keyOf(input), uuid, input.at])
    await audit(query, input, {
      action: 'kept-trait.put-back',
      before: null,
      after: { providerUuid: uuid, generation, traits },
    })
  })

/** A provider carries the trait, whoever put it there: from now on this one is known to. */
export const recordCarried = async (input: Input, uuid: string): Promise<void> => {
  await input.database.query(CARRIED, [...keyOf(input), uuid])
}

/** Records why it could not be put back. Saying the same again writes nothing into the audit. */
export const recordProblem = (input: Input, problem: string): Promise<void> =>
  input.database.transaction(async ({ query }) => {
    const row = await lock(query, input)
    if (row === undefined) return
    await query(FAIL, [...keyOf(input), problem])
    if (row.problem === problem) return
    await audit(query, input, {
      action: 'kept-trait.fail',
      before: { problem: row.problem },
      after: { providerUuid: row.intentUuid, problem },
    })
  })
