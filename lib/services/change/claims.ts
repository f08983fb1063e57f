import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { targetsOf } from '@/lib/domain/plans/change-targets'
import { actorWords } from '@/lib/domain/wording'
import type { Query } from '@/lib/server/database/database'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { ChangeRow } from './change-rows'

const TAKE = `
INSERT INTO change_claim (cloud_id, host, address, change_id)
SELECT $1, t.host, t.address, $2 FROM jsonb_to_recordset($3::jsonb) AS t (host text, address text)
ORDER BY t.host, t.address ON CONFLICT (cloud_id, host, address) DO NOTHING RETURNING host`

const HOLDER = `
SELECT cl.host, cl.address, ch.id, ch.run_by AS "runBy" FROM change_claim cl JOIN change ch ON ch.id = cl.change_id
JOIN jsonb_to_recordset($2::jsonb) AS t (host text, address text) ON t.host = cl.host AND t.address = cl.address
WHERE cl.cloud_id = $1 AND cl.change_id <> $3 ORDER BY cl.host, cl.address LIMIT 1`

type Holder = { host: string; address: string; id: number; runBy: string | null }

/** Takes all pGPUs of a change, or none and says who has one. */
export const takeClaims = async (query: Query, change: ChangeRow): Promise<void> => {
  if (change.preview === null)
    throw new ServiceError(
      'precondition',
      `Change ${change.id} cannot run: the console cannot read what the plan stored. Discard the change and plan it again.`,
    )
  const targets = targetsOf(change.preview)
  const text = JSON.stringify(targets)
  const taken = await query(TAKE, [change.cloudId, change.id, text])
  if (taken.length === targets.length) return
  const [holder] = await query(HOLDER, [change.cloudId, text, change.id], uncheckedRow<Holder>())
  if (holder === undefined) throw new Error(`the pGPUs of change ${change.id} are held twice`)
  throw new ServiceError(
    'conflict',
    `${holder.host} ${holder.address} is held by change ${holder.id}${holder.runBy === null ? '' : ` of ${actorWords(holder.runBy)}`}: wait until it has ended, or roll it back.`,
  )
}

export const giveClaimsBack = async (query: Query, changeId: number): Promise<void> => {
  await query('DELETE FROM change_claim WHERE change_id = $1', [changeId])
}
