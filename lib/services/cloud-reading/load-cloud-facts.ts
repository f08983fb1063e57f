import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { CloudPart } from '@/lib/domain/cloud/freshness'
import type { ApiVersions, CloudFacts, Spoken } from '@/lib/domain/cloud/types'
import type { Query } from '@/lib/server/database/database'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { CLOUD_PARTS, decodePart, neverHeard } from './cloud-parts'

type Row = {
  part: string
  body: Uint8Array | null
  at: Date | null
  error: string | null
  failingSince: Date | null
}

const LOAD = `SELECT part, body, at, error, failing_since AS "failingSince" FROM cloud_part WHERE cloud_id = $1`

const LAST_ROUND = `SELECT number, versions FROM cloud_round WHERE cloud_id = $1`

const NO_VERSIONS: ApiVersions = { nova: null, placement: null, keystone: null }

const spokenOf = async (row: Row | undefined, now: Date): Promise<Spoken<unknown>> => {
  if (row === undefined) return neverHeard(now)
  const { error, failingSince } = row
  const decoded = row.body === null ? null : await decodePart(row.body)
  if (decoded === null || row.at === null)
    return failingSince === null || error === null
      ? neverHeard(now)
      : { value: null, at: null, error, failingSince: failingSince.toISOString() }
  return {
    value: decoded.value,
    at: row.at.toISOString(),
    error,
    failingSince: failingSince?.toISOString() ?? null,
  }
}

export type StoredFacts = { facts: CloudFacts; roundNumber: number }

/** What a cloud's services said last; null before its first reading round. */
export const loadCloudFacts = async (
  query: Query,
  { cloud, now }: { cloud: Cloud; now: Date },
): Promise<StoredFacts | null> => {
  const [round] = await query(
    LAST_ROUND,
    [cloud.id],
    uncheckedRow<{ number: number; versions: ApiVersions }>(),
  )
  if (round === undefined) return null
  const rows = await query(LOAD, [cloud.id], uncheckedRow<Row>())
  const parts = await Promise.all(
    CLOUD_PARTS.map(
      async (part) =>
        [
          part,
          await spokenOf(
            rows.find((row) => row.part === part),
            now,
          ),
        ] as const,
    ),
  )
  // encodePart took each value from the part of the same name.
  const spoken = Object.fromEntries(parts) as Pick<CloudFacts, CloudPart>
  const versions = { ...NO_VERSIONS, ...round.versions }
  return {
    facts: { cloud: cloud.name, region: cloud.region, versions, ...spoken },
    roundNumber: round.number,
  }
}
