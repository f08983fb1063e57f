import { className } from '@/components/quota/quota-labels'
import { CommandLine } from '@/components/ui/command-line'
import { Unknown } from '@/components/ui/key-values'
import { MoreRows } from '@/components/ui/more-rows'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { FilterInput, Toolbar } from '@/components/ui/toolbar'
import type { LimitSetUp } from '@/lib/schemas/api/limit-set-up'
import { formatCount, formatNoun } from '@/lib/util/format'
import { isIncluded, type SetUpInput } from './set-up-input'

type Project = LimitSetUp['projects'][number]
type Proposal = LimitSetUp['proposals'][number]

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

/** What is known so far of the limits to create. */
const countText = ({ counts: { projects, reading, limits } }: LimitSetUp): string =>
  reading > 0
    ? `${formatCount(projects - reading)} of ${formatNoun(projects, 'project')} read.`
    : `${formatNoun(limits, 'limit')} of ${formatNoun(projects, 'project')} to create.`

/** Nova's answers per project, and the resulting project limits, as an alternative to Nova's own tool. */
export const ProjectsPanel = ({
  setUp,
  pages,
  q,
  onSearch,
  onMore,
  input,
  onToggle,
}: {
  setUp: LimitSetUp
  /** The loaded pages of projects. */
  pages: readonly LimitSetUp[]
  q: string
  onSearch: (q: string) => void
  /** Loads the next page; null: there is none. */
  onMore: (() => void) | null
  input: SetUpInput
  onToggle: (projectId: string, isIn: boolean) => void
}) => {
  const projects = pages.flatMap((page) => page.projects)
  const proposals = pages.flatMap((page) => page.proposals)
  return (
    <Panel title="3. Limits of projects" note="from Nova’s quotas; for GPUs, the current use">
      <p className="mb-1 text-ink2">
        Nova’s own tool shows what it would copy. It does not support GPUs, and Nova does not find limits that
        are created without the region.
      </p>
      <div className="mb-3">
        <CommandLine command={setUp.command} />
      </div>
      <Toolbar>
        <FilterInput className="sm:w-[220px]" label="Filter by project" value={q} onChange={onSearch} />
        <span className="text-ink2" role="status">
          {countText(setUp)}
        </span>
      </Toolbar>
      {projects.length === 0 ? (
        <p className="text-ink2">No project matches the filter.</p>
      ) : (
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
              {projects.map((project) => (
                <ProjectLine
                  key={project.projectId}
                  project={project}
                  proposals={proposals.filter(({ projectId }) => projectId === project.projectId)}
                  isIn={isIncluded(input, project.projectId)}
                  onToggle={(isIn) => onToggle(project.projectId, isIn)}
                />
              ))}
            </tbody>
          </Table>
        </SideScroll>
      )}
      <MoreRows shown={projects.length} total={setUp.total} onMore={onMore} />
    </Panel>
  )
}
