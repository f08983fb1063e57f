import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import type { QuotaList } from '@/lib/schemas/api/quota'
import { formatCount } from '@/lib/util/format'

const COUNTING = {
  yes: 'This release counts them when a server is asked for, like any resource.',
  no: 'This release does not count them when a server is asked for (bug 2140631): no limit stops them. What PCI in Placement reports counts as used afterwards.',
  unknown: 'Whether this release counts them can’t be told: Nova’s version was not read.',
} as const

/** GPUs that flavors ask for by a PCI alias, which limits may not see. */
export const AliasPanel = ({ aliases: { areCounted, uses, total } }: Pick<QuotaList, 'aliases'>) => {
  if (uses !== null && uses.length === 0) return null
  return (
    <Panel
      title="By PCI alias"
      note={areCounted === false ? <Tag tone="warn">not counted</Tag> : undefined}
      className="mt-3"
    >
      <p className="mb-2 max-w-[90ch] text-ink2">
        {COUNTING[areCounted === null ? 'unknown' : areCounted ? 'yes' : 'no']}
      </p>
      {uses === null ? (
        <p className="text-ink2">Who holds any can’t be told: Nova’s servers were never read.</p>
      ) : (
        <SideScroll>
          <Table aria-label="Devices held by PCI alias">
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
          Only the {formatCount(uses.length)} with most devices of {formatCount(total)} are listed.
        </p>
      )}
    </Panel>
  )
}
