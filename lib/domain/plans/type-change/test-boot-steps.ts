import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { couldLand } from '@/lib/domain/fit/could-land'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { requestsGpu } from '@/lib/domain/fit/gpu-classes'
import { listText } from '@/lib/domain/wording'
import { http, httpBody, httpPart } from '@/lib/util/encode/http'
import { sh, shellArguments, shellWord } from '@/lib/util/encode/shell'
import { doerOf } from '../host-steps/host-steps'
import type { HostTargets } from '../host-steps/preview'
import type { HostStep, TestServer, VerifyTask } from '../host-steps/tasks'

/** The requested test boot at the end. */
export type TestBootInput = { flavorId: string; imageId: string; networks: 'none' | 'auto' }

/** The requested flavor; null: Nova has none of this id, or it is disabled. */
export const flavorOfTest = (fleet: Fleet, { flavorId }: TestBootInput): Flavor | null =>
  (fleet.input.facts.flavors.value ?? []).find(({ id, isDisabled }) => id === flavorId && !isDisabled) ?? null

/**
 * Why a server of the flavor would not start on a host after the change; null if it should, as far as Placement shows. An
 * alias is left to the test.
 */
const whyNoTest = (
  fleet: Fleet,
  after: JoinedHost,
  { flavor, typeName }: { flavor: Flavor; typeName: string },
): string | null => {
  const request = readFlavorRequest(flavor)
  if (!requestsGpu(fleet, request))
    return `the flavor ${flavor.name} of the test boot requests no GPU: choose one that does`
  return request.aliases.length === 0 && couldLand(fleet, after, request) === false
    ? `the flavor ${flavor.name} of the test boot could not be scheduled on it with ${typeName}: choose a flavor that requests this type`
    : null
}

const LONGEST_HOST = 180

const testServer = (
  host: string,
  { input, flavor, plannedAt }: { input: TestBootInput; flavor: Flavor; plannedAt: string },
): TestServer => ({
  ...input,
  name: `sliceboard-test-${host.slice(0, LONGEST_HOST)}-${plannedAt.replaceAll(/\D/g, '')}`,
  flavorName: flavor.name,
  plannedAt,
})

/** What may be left of a test, and of servers that came: a roll back removes it before the old type comes back. */
const clearSparesStep = (draft: HostTargets, tasks: readonly VerifyTask[]): HostStep => {
  const host = draft.joined.host.name
  const addresses = tasks.map(({ address }) => address)
  const typeName = tasks[0]?.typeName ?? ''
  const providers = tasks.flatMap((task) => task.providers)
  const parents = providers.map(({ address }) => address)
  return {
    id: `clear-spares/${host}`,
    title: `Record that ${host} has no mdev of ${typeName}`,
    doer: doerOf(draft, 'remove-mdev'),
    calls: parents.map(
      (parent) => sh`ls ${shellWord(`/sys/class/mdev_bus/${parent}/mdev_supported_types`)}/*/devices`,
    ),
    command: sh`:`,
    undoCommand: sh`expect_unused ${shellArguments(providers.map(({ name }) => name))}\nremove_spares ${shellArguments([host, ...parents])}`,
    sees: `The host has no mdev of ${typeName}. Nova creates them for servers, including the test server, and never deletes them.`,
    precondition: 'None: the step only checks.',
    check: 'None: the step only records.',
    undo: `Waits until no server holds a vGPU there, then removes the mdevs of ${typeName} with their definitions.`,
    task: { kind: 'clear-spares', host, addresses, providers, typeName },
  }
}

const bootStep = (
  { joined }: HostTargets,
  { test, tasks, reason }: { test: TestServer; tasks: readonly VerifyTask[]; reason: string },
): HostStep => {
  const host = joined.host.name
  const service = joined.service.value?.host ?? host
  const [{ typeId, typeName } = { typeId: '', typeName: '' }] = tasks
  const { name, flavorId, flavorName, imageId, networks } = test
  const body = { name, flavorRef: flavorId, imageRef: imageId, networks, host: service }
  return {
    id: `test-boot/${host}`,
    title: `Boot a test server of ${flavorName} on ${host}`,
    doer: 'console',
    calls: [http`POST /servers ${httpBody({ server: body })}`, http`GET /servers/<uuid>`],
    command: sh`test_boot ${shellArguments([name, flavorId, imageId, networks, service, reason])}`,
    undoCommand: sh`delete_test ${shellWord(name)}`,
    sees: `Nova schedules no server on a disabled host, so the test runs after scheduling is enabled on ${host}. Other servers may be scheduled first.`,
    precondition: `Scheduling is enabled on ${host}. The server is created in your project and counts against its quota.`,
    check: `The server is ACTIVE on exactly ${host}, and its guest has a vGPU of ${typeName} (${typeId}) by the host's report. If not, the server is deleted and scheduling is disabled again.`,
    undo: 'Deletes the test server, if it still exists.',
    task: {
      kind: 'test-boot',
      host,
      service,
      reason,
      test,
      addresses: tasks.map(({ address }) => address),
      typeId,
      typeName,
    },
  }
}

const deleteStep = ({ joined }: HostTargets, test: TestServer): HostStep => {
  const host = joined.host.name
  return {
    id: `delete-test/${host}`,
    title: `Delete the test server of ${host}`,
    doer: 'console',
    calls: [
      http`GET /servers/detail?all_tenants=1&name=${httpPart(test.name)}`,
      http`DELETE /servers/<uuid>`,
    ],
    command: sh`delete_test ${shellWord(test.name)}`,
    undoCommand: sh`:`,
    sees: `The name of the server is ${test.name}.`,
    precondition: 'The test boot has ended.',
    check: `Nova has no server ${test.name}.`,
    undo: 'None: it was a test server.',
    task: { kind: 'delete-test', host, test },
  }
}

type TestPlan = { input: TestBootInput; flavor: Flavor; plannedAt: string; reason: string }

/**
 * Before the host is enabled: what a roll back has to remove afterwards. VFs of vendor VFIO have separate steps for that.
 */
export const stepsBeforeTest = (draft: HostTargets, tasks: readonly VerifyTask[]): HostStep[] =>
  tasks.some(({ vfio }) => vfio !== undefined) ? [] : [clearSparesStep(draft, tasks)]

/** A server on exactly this host, and its end. */
export const testBootSteps = (
  draft: HostTargets,
  { tasks, plan }: { tasks: readonly VerifyTask[]; plan: TestPlan },
): HostStep[] => {
  const test = testServer(draft.joined.host.name, plan)
  return [bootStep(draft, { test, tasks, reason: plan.reason }), deleteStep(draft, test)]
}

/** A test boot that can't be had on some hosts, in one sentence; null when it can. */
export const whyNoTestBoot = (
  fleet: Fleet,
  changed: ReadonlyMap<JoinedHost, JoinedHost>,
  { flavor, typeName }: { flavor: Flavor; typeName: string },
): string | null => {
  const reasons = [...changed.values()].flatMap((after) => {
    const reason = whyNoTest(fleet, after, { flavor, typeName })
    return reason === null ? [] : [{ host: after.host.name, reason }]
  })
  const [first] = reasons
  return first === undefined ? null : `${listText(reasons.map(({ host }) => host))}: ${first.reason}`
}
