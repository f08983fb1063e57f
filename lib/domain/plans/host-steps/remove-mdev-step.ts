import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { providerNameFor } from '@/lib/domain/cloud/occupants'
import { allowsCommand } from '@/lib/domain/host/allows-command'
import type { Mdev } from '@/lib/schemas/agent/inventory'
import type { Encoded } from '@/lib/util/encode/encoded'
import { sh, shellArguments, shellWord } from '@/lib/util/encode/shell'
import type { Step } from '../step'
import type { RemoveMdevTask } from './tasks'

const removal = ({ uuid, parent, isActive, start, definedAt }: RemoveMdevTask): Encoded<'shell'>[] => [
  ...(isActive ? [sh`echo 1 > ${shellWord(`/sys/bus/mdev/devices/${uuid}/remove`)}`] : []),
  ...(start === null
    ? []
    : [
        definedAt === undefined
          ? sh`mdevctl undefine -u ${shellWord(uuid)} -p ${shellWord(parent)}`
          : sh`rm -- ${shellWord(definedAt)}`,
      ]),
]

const words = (...items: readonly (string | undefined)[]): Encoded<'shell'> =>
  shellArguments(items.flatMap((item) => item ?? []))

const removeCommand = ({ host, uuid, parent, definedAt }: RemoveMdevTask): Encoded<'shell'> =>
  words('remove_mdev', host, uuid, parent, definedAt)

const makeCommand = ({
  host,
  uuid,
  parent,
  typeId,
  isActive,
  start,
  definedAt,
}: RemoveMdevTask): Encoded<'shell'> =>
  words(
    ...['make_mdev', host, uuid, parent, typeId],
    ...[isActive ? 'active' : 'inactive', start ?? 'undefined', definedAt],
  )

const stateText = ({ isActive, start }: RemoveMdevTask): string =>
  [
    isActive ? 'active' : 'not active',
    start === null ? 'not defined' : start === 'auto' ? 'defined with autostart' : 'defined',
  ].join(' and ')

/** The task that takes an mdev away; null when its type is not known. */
export const removeMdevTask = (
  joined: JoinedHost,
  { mdev, pgpuAddress, typeName }: { mdev: Mdev; pgpuAddress: string; typeName: string | null },
): RemoveMdevTask | null => {
  const typeId = mdev.isActive ? mdev.typeId : (mdev.definition?.typeId ?? null)
  if (typeId === null) return null
  const path = mdev.definition?.path ?? null
  const isElsewhere = path !== null && path !== `/etc/mdevctl.d/${mdev.parent}/${mdev.uuid}`
  return {
    kind: 'remove-mdev',
    host: joined.host.name,
    service: joined.service.value?.host ?? joined.host.name,
    pgpuAddress,
    uuid: mdev.uuid,
    parent: mdev.parent,
    typeId,
    typeName: typeName ?? typeId,
    isActive: mdev.isActive,
    start: mdev.definition?.start ?? null,
    providerName: providerNameFor(joined, mdev.parent),
    ...(isElsewhere ? { definedAt: path } : {}),
  }
}

/** A step that destroys and undefines one mdev: by the agent where the host allows it, else manually. */
export const removeMdevStep = (joined: JoinedHost, task: RemoveMdevTask): Step<RemoveMdevTask> => {
  const { host, uuid, parent, typeName, typeId, providerName, service } = task
  return {
    id: `remove-mdev/${host}/${uuid}`,
    title: `Remove the ${typeName} mdev ${uuid} from ${host} ${parent}`,
    doer: allowsCommand(joined.host.inventory, 'remove-mdev') ? 'agent' : 'operator',
    calls: removal(task),
    command: removeCommand(task),
    undoCommand: makeCommand(task),
    sees: `${uuid} is of ${typeName} (${typeId}) on ${parent}, ${stateText(task)}. No live or persistent guest XML names it. Every allocation and every server has its own vGPU.`,
    precondition: `The latest report of the host still matches, every consumer in GET /resource_providers/<${providerName}>/allocations has an mdev there, and every server of GET /servers/detail?host=${service} has its vGPUs.`,
    check: 'The host’s report no longer has the mdev, neither active nor defined.',
    undo: 'Recreates the mdev and its definition, if its parent still has capacity for the type.',
    task,
  }
}
