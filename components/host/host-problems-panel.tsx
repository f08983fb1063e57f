import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import type { HostDetail } from '@/lib/schemas/api/host'

const meanings: Record<string, string> = {
  vanished: 'The file was deleted between listing and reading.',
  permission: 'The agent cannot read the file. It runs as root: check mounts and security modules.',
  dangling: 'The target of the link does not exist.',
  malformed: 'The format is invalid. The file may be incomplete.',
  refused: 'The content is not read for security reasons.',
  incomplete: 'A related part is missing.',
  'command-failed': 'A command that the agent runs failed.',
  'too-large': 'The file is too large.',
  'odd-name': 'The name has invalid characters.',
  io: 'Reading failed.',
  clock: 'The host’s clock differs from the console’s.',
}

/** What the agent could not read. The rest of the scan is valid. */
export const HostProblemsPanel = ({ problems }: { problems: HostDetail['problems'] }) => (
  <Panel title="Problems" note={problems.length === 0 ? undefined : 'what the agent could not read'}>
    {problems.length === 0 ? (
      <p className="text-ink2">None. The agent read all of its sources.</p>
    ) : (
      <SideScroll className="-mb-3">
        <Table>
          <thead>
            <tr>
              <Th>Source</Th>
              <Th>Kind</Th>
              <Th>Message</Th>
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
