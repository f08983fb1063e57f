import type { Cloud } from '../cloud'

/** Rows that `nova-manage db archive_deleted_rows` has left. */
const MAX_DELETED = 1000

/** Nova's row of the server stays, marked as deleted: from then on only `changes-since` shows it. */
export const deleteServerRow = (cloud: Cloud, uuid: string): void => {
  const { servers, deletedServers } = cloud.nova
  const server = servers.get(uuid)
  if (server === undefined) return
  servers.delete(uuid)
  deletedServers.set(uuid, {
    ...server,
    status: 'DELETED',
    taskState: null,
    updatedMs: cloud.now().getTime(),
  })
  const [oldest] = deletedServers.keys()
  if (deletedServers.size > MAX_DELETED && oldest !== undefined) deletedServers.delete(oldest)
}
