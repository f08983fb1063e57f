import Link from 'next/link'
import { subjectText } from '@/lib/domain/finding-list/finding-labels'
import type { FindingSubject } from '@/lib/schemas/api/finding'
import { flavorPath, gpuPath, hostPath } from '@/lib/util/paths'

const linkStyle = 'hover:text-accent-ink hover:underline'

/** What a finding is about, as a way there where the console has a page for it. */
export const SubjectLink = ({
  subject,
  cloud,
  tabIndex,
}: {
  subject: FindingSubject
  cloud: string | null
  tabIndex?: number
}) => {
  const focus = tabIndex === undefined ? {} : { tabIndex }
  if (subject.kind === 'pgpu')
    return (
      <Link
        href={gpuPath({ cloud, host: subject.host, address: subject.address })}
        prefetch={false}
        className={linkStyle}
        {...focus}
      >
        {subject.host} <span className="whitespace-nowrap font-mono text-small">{subject.address}</span>
      </Link>
    )
  if ('host' in subject && subject.host !== null)
    return (
      <Link href={hostPath({ cloud, host: subject.host })} prefetch={false} className={linkStyle} {...focus}>
        {subjectText(subject)}
      </Link>
    )
  if (subject.kind === 'flavor')
    return (
      <Link
        href={flavorPath({ cloud, flavor: subject.id })}
        prefetch={false}
        className={linkStyle}
        {...focus}
      >
        {subjectText(subject)}
      </Link>
    )
  return <span>{subjectText(subject)}</span>
}
