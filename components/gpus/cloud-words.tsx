import { Tag } from '@/components/ui/tag'
import { classNames } from '@/lib/util/class-names'
import type { PlacementWord } from './placement-word'

/** "Placement 32" under "9 / 12". */
export const PlacementNote = ({
  word: { text, rest, isMore },
  isOld,
}: {
  word: PlacementWord
  isOld: boolean
}) => (
  <span
    className={classNames(
      'block truncate text-tiny leading-[13px]',
      isMore ? (isOld ? 'sign text-ink3' : 'sign text-warn') : 'text-ink3',
    )}
    {...(isMore ? { 'data-word': 'Warning: ' } : {})}
    title={`${text} ${rest}`}
  >
    {text}
    <span className="sr-only"> {rest}</span>
  </span>
)

/** A service that takes no servers. */
export const ServiceTag = ({ service }: { service: 'down' | 'disabled' }) => (
  <Tag tone={service === 'down' ? 'warn' : 'quiet'} title={`nova-compute is ${service}`}>
    <span className="sr-only">nova-compute is</span>
    {service}
  </Tag>
)
