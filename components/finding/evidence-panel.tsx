import { Moment } from '@/components/shell/moment'
import { Panel } from '@/components/ui/panel'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { SOURCE_LABELS } from '@/lib/domain/finding-list/finding-labels'
import type { FindingDetail } from '@/lib/schemas/api/finding'

/** The value of each source with its time; the source to correct is marked. */
export const EvidencePanel = ({ finding: { evidence, blame } }: { finding: FindingDetail }) => (
  <Panel title="Evidence" note="value of each source">
    {evidence.length === 0 ? (
      <p className="text-ink2">No evidence is stored for this finding.</p>
    ) : (
      <div className="-mx-3.5 -mb-3">
        <Table>
          <thead>
            <tr>
              <Th className="pl-3.5">Source</Th>
              <Th>Reported</Th>
              <Th isNumber className="pr-3.5 max-sm:hidden">
                Time
              </Th>
            </tr>
          </thead>
          <tbody>
            {evidence.map(({ source, said, at }) => (
              <Tr key={`${source} ${said}`}>
                <Td className="w-28 pl-3.5 align-top font-[550]">
                  {SOURCE_LABELS[source]}
                  {source === blame ? (
                    <span className="mt-0.5 block">
                      <Tag tone="warn">incorrect</Tag>
                    </span>
                  ) : null}
                </Td>
                <Td className="whitespace-pre-line align-top wrap-anywhere">
                  {said}
                  <span className="mt-0.5 block text-ink3 text-small sm:hidden">
                    <Moment at={at} />
                  </span>
                </Td>
                <Td className="pr-3.5 text-right align-top text-ink2 text-small max-sm:hidden">
                  <Moment at={at} />
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </div>
    )}
  </Panel>
)
