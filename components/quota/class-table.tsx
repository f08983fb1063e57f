import { PlanLink } from '@/components/change/plan-link'
import { Unknown } from '@/components/ui/key-values'
import { Table, TablePanel, Td, Th, Tr } from '@/components/ui/table'
import type { QuotaClass } from '@/lib/schemas/api/quota'
import { classNames } from '@/lib/util/class-names'
import { formatCount, formatNoun, formatShare } from '@/lib/util/format'
import { newLimitsPath } from '@/lib/util/paths'
import { LimitFigure } from './limit-figure'
import { className } from './quota-labels'

const Capacity = ({ capacity, advertised }: QuotaClass) => {
  if (capacity === null) return <Unknown reason="no GPU provider offers it" />
  return (
    <>
      {capacity.value === null ? <Unknown reason={capacity.reason} /> : formatCount(capacity.value)}
      {advertised === null || advertised === capacity.value ? null : (
        <p className="text-small text-warn">{formatCount(advertised)} by Placement</p>
      )}
    </>
  )
}

const Sum = ({ sum, unlimitedProjects }: QuotaClass) => (
  <>
    {sum === null ? <Unknown reason="a limit is unknown" /> : formatCount(sum)}
    {unlimitedProjects === 0 ? null : (
      <p className="text-small text-warn">
        {formatNoun(unlimitedProjects, 'project has', 'projects have')} none
      </p>
    )}
  </>
)

/** Over 100 %: projects within their limits can still get NoValidHost. */
const Commitment = ({ sum, capacity }: QuotaClass) => {
  if (sum === null || capacity === null || capacity.value === null || capacity.value === 0)
    return <Unknown reason={capacity?.reason ?? 'sum or capacity is unknown'} />
  const share = sum / capacity.value
  return <span className={classNames(share > 1 && 'text-warn')}>{formatShare(share)}</span>
}

const Projects = ({ over, near, used, sum }: QuotaClass) => {
  // Both are null where a project's is not known.
  const isKnown = used !== null && sum !== null
  if (over + near === 0)
    return isKnown ? (
      <span className="text-ink3">none</span>
    ) : (
      <Unknown reason="limit or use of a project is unknown" />
    )
  return (
    <>
      {over === 0 ? null : <span className="font-[550] text-bad">{over} over</span>}
      {over > 0 && near > 0 ? ', ' : null}
      {near === 0 ? null : <span className="text-warn">{near} near</span>}
    </>
  )
}

/** On a narrow page all but the default and the share is below the name. */
const Narrow = ({ each }: { each: QuotaClass }) => (
  <div className="font-normal text-ink2 text-small md:hidden">
    <p>
      {each.used === null ? <Unknown reason="the use of a project is unknown" /> : formatCount(each.used)}{' '}
      used and {each.sum === null ? <Unknown reason="a limit is unknown" /> : formatCount(each.sum)} allocated
      of{' '}
      {each.capacity?.value == null ? (
        <Unknown reason={each.capacity?.reason ?? 'no GPU provider offers it'} />
      ) : (
        formatCount(each.capacity.value)
      )}
    </p>
    <p>
      At the limit: <Projects {...each} />
    </p>
  </div>
)

/** Each GPU class over all projects: the allocated quota compared with the capacity. */
export const ClassTable = ({ classes, cloud }: { classes: readonly QuotaClass[]; cloud: string | null }) => (
  <TablePanel className="mb-3">
    <Table aria-label="Resource classes">
      <thead>
        <tr>
          <Th>Class</Th>
          <Th isNumber title="For projects without their own limit">
            Default
          </Th>
          <Th isNumber className="max-md:hidden" title="Reported by the drivers for full pGPUs">
            Capacity
          </Th>
          <Th isNumber className="max-md:hidden">
            Used
          </Th>
          <Th
            isNumber
            className="max-md:hidden"
            title="Sum of the limits of all projects, including defaults"
          >
            Allocated quota
          </Th>
          <Th isNumber title="Allocated quota divided by capacity; over 100 % is overcommitted">
            Of capacity
          </Th>
          <Th className="max-md:hidden">At the limit</Th>
        </tr>
      </thead>
      <tbody>
        {classes.map((each) => (
          <Tr key={each.resourceName} className="align-baseline">
            <Td className="min-w-40 font-[550] wrap-anywhere">
              {className(each.resourceName)}
              <Narrow each={each} />
            </Td>
            <Td isNumber className="whitespace-nowrap">
              <LimitFigure limit={each.standard} />
              <span className="ml-2 max-md:block print:hidden">
                <PlanLink
                  href={newLimitsPath({
                    cloud,
                    limits: [{ resourceName: each.resourceName, projectId: null }],
                  })}
                  variant="ghost"
                  size="small"
                  aria-label={`Change the default of ${className(each.resourceName)}`}
                >
                  {each.standard.origin === 'missing' ? 'Register' : 'Change'}
                </PlanLink>
              </span>
            </Td>
            <Td isNumber className="whitespace-nowrap max-md:hidden">
              <Capacity {...each} />
            </Td>
            <Td isNumber className="max-md:hidden">
              {each.used === null ? (
                <Unknown reason="the use of a project is unknown" />
              ) : (
                formatCount(each.used)
              )}
            </Td>
            <Td isNumber className="whitespace-nowrap max-md:hidden">
              <Sum {...each} />
            </Td>
            <Td isNumber className="whitespace-nowrap font-[550]">
              <Commitment {...each} />
            </Td>
            <Td className="whitespace-nowrap max-md:hidden">
              <Projects {...each} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  </TablePanel>
)
