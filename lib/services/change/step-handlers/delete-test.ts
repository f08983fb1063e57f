import 'server-only'
import type { StepTask } from '@/lib/domain/plans/types'

import { formatNoun } from '@/lib/util/format'
import { blocked, GOES_ON } from './blocked'
import type { CheckResult, ConsoleHandler, StepTools } from './step-work'
import { isGoing, testServers } from './test-server'

type Task = Pick<Extract<StepTask, { kind: 'test-boot' | 'delete-test' }>, 'test'>

/** Holds when Nova has no test server of the step. */
export const lookGone = async (tools: StepTools, { test }: Task): Promise<CheckResult> => {
  const servers = await testServers(tools, test)
  if (servers.length === 0) return { state: 'holds', answer: `Nova has no server ${test.name}.` }
  return servers.every(isGoing)
    ? blocked(`The test server ${test.name} is being deleted.`, GOES_ON)
    : { state: 'ready', intent: { servers: servers.map(({ uuid }) => uuid) } }
}

export const deleteTest = async (tools: StepTools, { test }: Task): Promise<string> => {
  const servers = await testServers(tools, test)
  for (const { uuid } of servers) await tools.nova.deleteServer(uuid)
  return `DELETE /servers: ${formatNoun(servers.length, 'test server')} ${test.name}.`
}

/** The test server goes, however the test ended. */
export const deleteTestHandler: ConsoleHandler<Extract<StepTask, { kind: 'delete-test' }>> = {
  by: 'console',
  check: lookGone,
  act: deleteTest,
  checkUndo: async () => ({ state: 'holds', answer: 'It was a test server, and is not recreated.' }),
  undo: async () => 'It was a test server, and is not recreated.',
}
