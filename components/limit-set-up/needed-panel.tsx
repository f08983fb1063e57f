import { LimitFigure } from '@/components/quota/limit-figure'
import { Input } from '@/components/ui/input'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { LimitSetUp } from '@/lib/schemas/api/limit-set-up'
import { formatCount } from '@/lib/util/format'
import { type SetUpInput, textOf } from './set-up-input'

type Needed = LimitSetUp['needed'][number]

/** What the absence of a registered limit does on this release. */
const meaningText = ({ registered, means }: Needed): string => {
  if (registered !== null) return ''
  if (means.kind === 'unlimited') return 'If missing: no limit'
  if (means.kind === 'unknown') return 'If missing: unknown'
  return 'If missing: 0, rejected with 403'
}

const NeededLine = ({
  each,
  isWhole,
  text,
  onText,
}: {
  each: Needed
  isWhole: boolean
  text: string
  onText: (text: string) => void
}) => {
  const { resourceName, flavor, registered, withoutRegion, because } = each
  return (
    <Tr className="align-baseline">
      <Td className="min-w-40 font-[550] wrap-anywhere">
        {resourceName}
        {flavor === null ? null : (
          <p className="font-normal text-ink3 text-small">requested by {flavor} and similar flavors</p>
        )}
      </Td>
      <Td isNumber className="whitespace-nowrap">
        {registered === null ? (
          <span className="text-warn">not registered</span>
        ) : (
          <LimitFigure limit={each.means} />
        )}
      </Td>
      {isWhole ? null : (
        <>
          <Td className="min-w-48">
            <span className={registered === null ? '' : 'text-ink3'}>{meaningText(each)}</span>
            {withoutRegion === null ? null : (
              <p className="text-small text-warn">
                {formatCount(withoutRegion)} without a region, not used by Nova
              </p>
            )}
          </Td>
          <Td className="min-w-44">
            {registered !== null ? null : (
              <>
                <Input
                  aria-label={`Default of ${resourceName}`}
                  value={text}
                  inputMode="numeric"
                  maxLength={11}
                  placeholder="left out"
                  onChange={(event) => onText(event.target.value)}
                />
                <p className="text-ink3 text-small">{because}</p>
              </>
            )}
          </Td>
        </>
      )}
    </Tr>
  )
}

/** Every name that Nova asks Keystone for, and the default that it is to get. */
export const NeededPanel = ({
  needed,
  input,
  onText,
}: {
  needed: readonly Needed[]
  input: SetUpInput
  onText: (resourceName: string, text: string) => void
}) => {
  // If every name is registered, the numbers need no note.
  const isWhole = needed.every(
    ({ registered, withoutRegion }) => registered !== null && withoutRegion === null,
  )
  return (
    <Panel title="2. Required limits" note="registered limits in the region of its endpoint">
      <SideScroll>
        <Table aria-label="Registered limits" className={isWhole ? 'max-w-[560px]' : ''}>
          <thead>
            <tr>
              <Th>Name</Th>
              <Th isNumber>Registered</Th>
              {isWhole ? null : (
                <>
                  <Th>Effect</Th>
                  <Th>New limit</Th>
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {needed.map((each) => (
              <NeededLine
                key={each.resourceName}
                each={each}
                isWhole={isWhole}
                text={textOf(input, each.resourceName)}
                onText={(text) => onText(each.resourceName, text)}
              />
            ))}
          </tbody>
        </Table>
      </SideScroll>
    </Panel>
  )
}
