import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import type { QuotaList } from '@/lib/schemas/api/quota'
import { formatCount } from '@/lib/util/format'

const COUNTING = {
  yes: 'This release counts these devices when a server is requested, like any resource.',
  no: 'This release does not count these devices when a server is requested (bug 2140631), so no limit applies. Devices reported by PCI in Placement count as used afterwards.',
  unknown:
    'It is unknown whether this release counts these devices, because Nova’s version has not been read.',
} as const

/** GPUs that flavors ask for by a PCI alias, which limits may not see. */
export const AliasPanel = ({ aliases: { areCounted, uses, total } }: Pick<QuotaList, 'aliases'>) => {
  if (uses !== null && uses.length === 0) return null
  return (
    <Panel
      title="Devices by PCI alias"
      note={areCounted === false ? <Tag tone="warn">not counted</Tag> : undefined}
      className="mt-3"
    >
      <p className="mb-2 max-w-[90ch] text-ink2">
        {COUNTING[areCounted === null ? 'unknown' : areCounted ? 'yes' : 'no']}
      </p>
      {uses === null ? (
        <p className="text-ink2">The devices in use are unknown because Nova’s servers have not been read.</p>
      ) : (
        <SideScroll>
          <Table aria-label="Devices in use by PCI alias">
            <thead>
              <tr>
                <Th>Project</Th>
                <Th>Alias</Th>
                <Th isNumber>Devices</Th>
                <Th isNumber>Servers</Th>
              </tr>
            </thead>
            <tbody>
              {uses.map(({ projectId, projectName, alias, devices, servers }) => (
                <Tr key={`${projectId} ${alias}`}>
                  <Td className="min-w-32 wrap-anywhere">{projectName}</Td>
                  <Td className="whitespace-nowrap">{alias}</Td>
                  <Td isNumber>{formatCount(devices)}</Td>
                  <Td isNumber>{formatCount(servers)}</Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        </SideScroll>
      )}
      {uses === null || uses.length === total ? null : (
        <p className="mt-2 text-ink3">
          The {formatCount(uses.length)} entries with the most devices of {formatCount(total)} are listed.
        </p>
      )}
    </Panel>
  )
}
