import { gzipSync } from 'node:zlib'
import { listFindings } from '@/lib/domain/findings/list-findings'
import { describeHost } from '@/lib/domain/host/describe-host'
import type { DescribedGuest } from '@/lib/domain/host/types'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { Database, Query } from '@/lib/server/database/database'
import { type PgpuRow, writeHostRows } from './fleet-rows'

const INSERT_GUEST = `
INSERT INTO guest (host_id, uuid, name, state, server_name, flavor_name, project_id, project_name, user_name, pgpu_addresses)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`

const insertGuest = (query: Query, hostId: number, guest: DescribedGuest): Promise<unknown> =>
  query(INSERT_GUEST, [
    hostId,
    guest.guestUuid,
    guest.guestName,
    guest.guestState,
    guest.serverName,
    guest.flavorName,
    guest.projectId,
    guest.projectName,
    guest.userName,
    guest.pgpuAddresses,
  ])

const rowOf = (pgpu: ReturnType<typeof describeHost>['pgpus'][number]): PgpuRow => ({
  address: pgpu.address,
  model: pgpu.model,
  framework: pgpu.framework,
  numaNode: pgpu.numaNode,
  framebufferMib: pgpu.framebufferMib,
  capacity: pgpu.numbers.capacity.value,
  used: pgpu.numbers.used.value,
  spare: pgpu.numbers.spare.value,
  orphan: pgpu.numbers.orphan.value,
  returning: pgpu.numbers.returning.value,
  creatable: pgpu.numbers.creatable.value,
  finding: pgpu.findings[0] ?? null,
})

/** A host as its last report left it, without the vGPU type rows. `body` replaces the stored bytes. */
export const storeReport = (
  database: Database,
  {
    cloudId,
    inventory,
    seenAt = new Date(),
    body = gzipSync(JSON.stringify({ inventory })),
  }: { cloudId: number; inventory: Inventory; seenAt?: Date; body?: Buffer },
): Promise<number> =>
  database.transaction(async (query) => {
    const description = describeHost(inventory)
    const hostId = await writeHostRows(query, {
      cloudId,
      name: inventory.host.name,
      seenAt,
      pgpus: description.pgpus.map(rowOf),
      problemCount: inventory.problems.length,
      guestCount: description.guests?.length ?? null,
    })
    await query('UPDATE host SET findings = $2::jsonb, taken_at = $3, agent_version = $4 WHERE id = $1', [
      hostId,
      JSON.stringify(listFindings(description)),
      seenAt,
      '0.1.0',
    ])
    await query('DELETE FROM problem WHERE host_id = $1', [hostId])
    for (const { source, code, message } of inventory.problems)
      await query('INSERT INTO problem (host_id, source, code, message) VALUES ($1, $2, $3, $4)', [
        hostId,
        source,
        code,
        message,
      ])
    await query('DELETE FROM guest WHERE host_id = $1', [hostId])
    for (const guest of description.guests ?? []) await insertGuest(query, hostId, guest)
    await query(
      'INSERT INTO host_inventory (host_id, body) VALUES ($1, $2) ON CONFLICT (host_id) DO UPDATE SET body = excluded.body',
      [hostId, body],
    )
    return hostId
  })
