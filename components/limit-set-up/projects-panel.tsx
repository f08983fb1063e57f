import { className } from '@/components/quota/quota-labels'
import { CommandLine } from '@/components/ui/command-line'
import { Unknown } from '@/components/ui/key-values'
import { useMoreRows } from '@/components/ui/more-rows'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { LimitSetUp } from '@/lib/schemas/api/limit-set-up'
import { formatCount } from '@/lib/util/format'
import { UnreadNote } from './unread-note'

type Project = LimitSetUp['projects'][number]
type Proposal = LimitSetUp['proposals'][number]

/** Rows that are drawn at first. */
const ROWS = 40

const Figure = ({ value, isReading }: { value: number | undefined; isReading: boolean }) =>
  value === undefined ? (
    <Unknown reason={isReading ? 'being read' : 'not reported by Nova'} />
  ) : value === -1 ? (
    'no limit'
  ) : (
    formatCount(value)
  )

const ProjectLine = ({
  project: { projectId, projectName, quotas, isReading },
  proposals,
  isIn,
  onToggle,
}: {
  project: Project
  proposals: readonly Proposal[]
  isIn: boolean
  onToggle: (isIn: boolean) => void
}) => (
  <Tr className="align-baseline">
    <Td className="min-w-36">
      <label htmlFor={`take ${projectId}`} className="flex items-baseline gap-2 font-[550] wrap-anywhere">
        <input
          id={`take ${projectId}`}
          type="checkbox"
          checked={isIn && proposals.length > 0}
          disabled={proposals.length === 0}
          onChange={(event) => onToggle(event.target.checked)}
        />
        {projectName}
      </label>
    </Td>
    <Td isNumber>
      <Figure value={quotas?.instances} isReading={isReading} />
    </Td>
    <Td isNumber>
      <Figure value={quotas?.cores} isReading={isReading} />
    </Td>
    <Td isNumber className="whitespace-nowrap">
      <Figure value={quotas?.memoryMib} isReading={isReading} />
    </Td>
    <Td className="min-w-48 wrap-anywhere">
      {proposals.length === 0 ? (
        <span className="text-ink3">{isReading ? 'being read' : 'no changes needed'}</span>
      ) : (
        proposals.map(({ resourceName, value }) => `${className(resourceName)} ${value}`).join(', ')
      )}
    </Td>
  </Tr>
)

/** Nova's answers per project, and the resulting project limits, as an alternative to Nova's own tool. */
export const ProjectsPanel = ({
  setUp: { projects, unreadProjects, proposals, command },
  left,
  onToggle,
}: {
  setUp: LimitSetUp
  /** Ids of projects that get no project limit. */
  left: ReadonlySet<string>
  onToggle: (projectId: string, isIn: boolean) => void
}) => {
  const { first, more } = useMoreRows(projects, ROWS)
  return (
    <Panel title="3. Limits of projects" note="from Nova’s quotas; for GPUs, the current use">
      <p className="mb-1 text-ink2">
        Nova’s own tool shows what it would copy. It does not support GPUs, and Nova does not find limits that
        are created without the region.
      </p>
      <div className="mb-3">
        <CommandLine command={command} />
      </div>
      <SideScroll>
        <Table aria-label="Quotas by Nova">
          <thead>
            <tr>
              <Th>Project</Th>
              <Th isNumber>Instances</Th>
              <Th isNumber>Cores</Th>
              <Th isNumber>Memory (MiB)</Th>
              <Th>Project limits to create</Th>
            </tr>
          </thead>
          <tbody>
            {first.map((project) => (
              <ProjectLine
                key={project.projectId}
                project={project}
                proposals={proposals.filter(({ projectId }) => projectId === project.projectId)}
                isIn={!left.has(project.projectId)}
                onToggle={(isIn) => onToggle(project.projectId, isIn)}
              />
            ))}
          </tbody>
        </Table>
      </SideScroll>
      {more}
      <UnreadNote count={unreadProjects} />
    </Panel>
  )
}
