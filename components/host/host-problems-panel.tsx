import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import type { HostDetail } from '@/lib/schemas/api/host'

const meanings: Record<string, string> = {
  vanished: 'It was there when the folder was listed and gone when it was read.',
  permission:
    'The agent may not read it. It runs as root: look for a mount or a security module that forbids it.',
  dangling: 'A link that points to nothing.',
  malformed: 'It is not in the form that its kind has; it may have been half-written.',
  refused: 'It holds something that is not read for safety’s sake.',
  incomplete: 'A part that belongs to it is missing.',
  'command-failed': 'A program that the agent asks did not answer.',
  'too-large': 'It is larger than anything of its kind should be.',
  'odd-name': 'Its name has characters that such a name never has.',
  io: 'Reading failed.',
  clock: 'The host’s clock differs from the console’s.',
}

/** What the agent could not read. The rest of the scan stands. */
export const HostProblemsPanel = ({ problems }: { problems: HostDetail['problems'] }) => (
  <Panel title="Problems" note={problems.length === 0 ? undefined : 'what the agent could not read'}>
    {problems.length === 0 ? (
      <p className="text-ink2">None: the agent could read everything that it looked for.</p>
    ) : (
      <SideScroll className="-mb-3">
        <Table>
          <thead>
            <tr>
              <Th>Source</Th>
              <Th>Kind</Th>
              <Th>What happened</Th>
            </tr>
          </thead>
          <tbody>
            {problems.map(({ source, code, message }) => (
              <Tr key={`${source} ${code} ${message}`}>
                <Td className="min-w-56 break-all align-top font-mono text-small">{source}</Td>
                <Td className="align-top">
                  <Tag tone="warn">{code.replaceAll('-', ' ')}</Tag>
                </Td>
                <Td className="min-w-56">
                  {message}
                  <p className="text-ink2 text-small">{meanings[code]}</p>
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </SideScroll>
    )}
  </Panel>
)
