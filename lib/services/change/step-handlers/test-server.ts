import 'server-only'
import type { TestServer } from '@/lib/domain/plans/host-steps/tasks'
import type { ListedServer } from '@/lib/openstack/nova/types'
import type { StepTools } from './step-work'

/** The metadata of a test server. */
export const testMetadata = ({ change }: StepTools, { host, test }: { host: string; test: TestServer }) => ({
  sliceboard_change: String(change.id),
  sliceboard_step: `test-boot/${host}`.slice(0, 255),
  sliceboard_planned: test.plannedAt,
})

const escaped = (name: string): string => name.replaceAll(/[^A-Za-z0-9-]/g, (letter) => `\\${letter}`)

/** The test servers of a step in Nova, by the name that no other plan uses, created by the console or manually. */
export const testServers = async ({ nova }: StepTools, { name }: TestServer): Promise<ListedServer[]> => {
  const { items } = await nova.listServers({ name: `^${escaped(name)}$` })
  return items.filter((server) => server.name === name && !server.isDeleted)
}

export const isGoing = ({ taskState }: ListedServer): boolean => taskState === 'deleting'
