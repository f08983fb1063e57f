import { Moment } from '@/components/shell/moment'
import { Unknown } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import type { CloudReadingDto } from '@/lib/schemas/api/cloud-reading'
import { formatCount } from '@/lib/util/format'
import { isIncomplete } from '@/lib/util/is-incomplete'
import { partService, partWords, SERVICE_WORDS } from './part-words'

type Part = CloudReadingDto['parts'][number]

const begin = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const stateOf = (part: Part): { word: string; tone: 'accent' | 'warn' | 'bad' | 'quiet' } => {
  const { error, at } = part
  if (isIncomplete(part)) return { word: 'incomplete', tone: 'warn' }
  if (error !== null)
    return at === null ? { word: 'never heard', tone: 'bad' } : { word: 'old', tone: 'warn' }
  return at === null ? { word: 'not asked yet', tone: 'quiet' } : { word: 'fresh', tone: 'accent' }
}

/** Read, but incomplete: the account may not see the limits of other projects. */
const isPartial = ({ part, items, at }: Part): boolean => part === 'limits' && items === null && at !== null

const PartialNote = () => (
  <span className="text-ink2">
    Limits of other projects are unknown: the account has no role on the system.{' '}
    <code className="font-mono text-small">openstack role add --user NAME --system all reader</code>
  </span>
)

const PartRow = ({ part }: { part: Part }) => {
  const service = partService(part.part)
  const { word, tone } = stateOf(part)
  return (
    <Tr>
      <Td className="whitespace-nowrap">
        {begin(partWords(part.part))}
        {service === null ? null : (
          <span className="ml-1.5 text-ink3 text-small">{SERVICE_WORDS[service]}</span>
        )}
      </Td>
      <Td>
        <Tag tone={tone}>{word}</Tag>
      </Td>
      <Td isNumber>
        {part.items === null ? (
          <Unknown
            reason={isPartial(part) ? 'the limits of other projects can not be read' : 'never heard'}
          />
        ) : (
          formatCount(part.items)
        )}
      </Td>
      <Td>
        <Moment at={part.at} />
      </Td>
      <Td className="min-w-64 max-w-[60ch]">
        {part.error === null ? (
          isPartial(part) && <PartialNote />
        ) : (
          <>
            <span className="break-words">{part.error}</span>{' '}
            {part.failingSince === null ? null : (
              <span className="text-ink3 text-small">
                since <Moment at={part.failingSince} />
              </span>
            )}
          </>
        )}
      </Td>
    </Tr>
  )
}

/** The lists from OpenStack, with their age. */
export const PartsPanel = ({ parts }: { parts: readonly Part[] }) => (
  <Panel title="What was heard" note="each list with its age">
    <SideScroll className="-mb-3">
      <Table>
        <thead>
          <tr>
            <Th>List</Th>
            <Th>State</Th>
            <Th isNumber>Items</Th>
            <Th>Heard</Th>
            <Th>Fails with</Th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <PartRow key={part.part} part={part} />
          ))}
        </tbody>
      </Table>
    </SideScroll>
  </Panel>
)
