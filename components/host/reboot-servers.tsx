import { CircleCheck, CircleHelp, CircleX, type LucideIcon } from 'lucide-react'
import Link from 'next/link'
import { asSentence } from '@/components/finding/finding-labels'
import { CommandLine } from '@/components/ui/command-line'
import { CopyableId } from '@/components/ui/copyable'
import { IconWord } from '@/components/ui/icon-word'
import { Table, TablePanel, Td, Th, Tr } from '@/components/ui/table'
import type { RebootServer } from '@/lib/schemas/api/reboot'
import { gpuPath } from '@/lib/util/paths'
import { FATE_LABELS, rebootOrder } from './reboot-labels'

const LOOKS: Record<RebootServer['fate'], { icon: LucideIcon; tone: string }> = {
  lost: { icon: CircleX, tone: 'text-bad' },
  unknown: { icon: CircleHelp, tone: 'text-warn' },
  returns: { icon: CircleCheck, tone: 'text-ink2' },
}

/** Whether a server returns after a reboot, as shape, word and color. */
const FateMark = ({ fate }: { fate: RebootServer['fate'] }) => {
  const { icon, tone } = LOOKS[fate]
  return (
    <IconWord icon={icon} className={tone}>
      {FATE_LABELS[fate]}
    </IconWord>
  )
}

type HostScope = { host: string; cloud: string | null }

const Devices = ({ server, host, cloud }: HostScope & { server: RebootServer }) => (
  <>
    {server.pgpuAddresses.map((address) => (
      <Link
        key={address}
        href={gpuPath({ cloud, host, address })}
        prefetch={false}
        className="block font-mono text-small hover:text-accent-ink hover:underline"
      >
        {address}
      </Link>
    ))}
    {server.mdevUuids.map((uuid) => (
      <CopyableId
        key={uuid}
        id={uuid}
        label="uuid of the mdev"
        name={`mdev of ${server.serverName ?? server.guestName}`}
      />
    ))}
  </>
)

const ToDo = ({ server: { advice, command, fate, canMigrate } }: { server: RebootServer }) => {
  if (fate === 'returns' && advice === null) return <span className="text-ink3">nothing</span>
  return (
    <>
      {advice}
      {canMigrate ? (
        <span className="text-ink2">
          {' '}
          You can also cold migrate the server after the reboot. A hard reboot keeps the missing mdev.
        </span>
      ) : null}
      {command === null ? null : <CommandLine command={command} />}
    </>
  )
}

const ServerRow = ({ server, host, cloud }: HostScope & { server: RebootServer }) => (
  <Tr>
    <Td className="pl-3.5 align-top max-md:pr-3.5">
      <span className="font-[550]">{server.serverName ?? server.guestName}</span>
      <small className="block text-ink2 text-small">
        {[server.projectName, server.serverName === null ? null : server.guestName]
          .filter((part) => part !== null)
          .join(', ')}
      </small>
      <div className="mt-1 flex flex-col gap-1 md:hidden">
        <FateMark fate={server.fate} />
        <p className="wrap-anywhere">{asSentence(server.because)}</p>
        <div>
          <Devices server={server} host={host} cloud={cloud} />
        </div>
        <div>
          <ToDo server={server} />
        </div>
      </div>
    </Td>
    <Td className="align-top max-md:hidden">
      <FateMark fate={server.fate} />
    </Td>
    <Td className="min-w-56 align-top wrap-anywhere max-md:hidden">{asSentence(server.because)}</Td>
    <Td className="align-top max-md:hidden">
      <Devices server={server} host={host} cloud={cloud} />
    </Td>
    <Td className="w-[34%] pr-3.5 align-top max-md:hidden">
      <ToDo server={server} />
    </Td>
  </Tr>
)

/** Every server that holds something of a GPU, those that would not come back first. */
export const RebootServers = ({ servers, host, cloud }: HostScope & { servers: readonly RebootServer[] }) => (
  <TablePanel>
    <Table aria-label="Servers after a reboot">
      <thead className="max-md:sr-only">
        <tr>
          <Th className="pl-3.5">Server</Th>
          <Th>After a reboot</Th>
          <Th>Why</Th>
          <Th>pGPU and mdev</Th>
          <Th className="pr-3.5">Action before the reboot</Th>
        </tr>
      </thead>
      <tbody>
        {rebootOrder(servers).map((server) => (
          <ServerRow key={server.guestUuid} server={server} host={host} cloud={cloud} />
        ))}
      </tbody>
    </Table>
  </TablePanel>
)
