import Link from 'next/link'
import { PageTitle } from '@/components/shell/page-title'
import { docAnchor } from '@/lib/util/doc-anchor'
import { helpPath } from '@/lib/util/help-paths'
import { DocBlocks } from './doc-blocks'

/** Documents with fewer sections fit on a screen or two. */
const LISTED_FROM = 3

/** Titles of the sections, as text. */
const sectionsOf = (text: string): string[] =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^## +(.+)$/gm)].map(([, title = '']) =>
    title.replaceAll(/[`*]/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'),
  )

const Sections = ({ titles }: { titles: readonly string[] }) => (
  <nav aria-label="On this page" className="mb-4 max-w-[90ch]">
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      {titles.map((title) => (
        <li key={title}>
          <a href={`#${docAnchor(title)}`} className="inline-block min-h-6 text-accent-ink hover:underline">
            {title}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

/** A document of the project, of the version that runs. */
export const HelpPage = ({
  page: { file, title, text },
  cloud,
  version,
}: {
  page: { file: string; title: string; text: string }
  cloud: string | null
  version: string
}) => {
  const sections = sectionsOf(text)
  return (
    <>
      <PageTitle
        title={title}
        sub={`Sliceboard ${version}`}
        actions={
          file === 'README.md' ? undefined : (
            <Link href={helpPath({ cloud })} className="text-accent-ink hover:underline">
              All documents
            </Link>
          )
        }
      />
      {sections.length < LISTED_FROM ? null : <Sections titles={sections} />}
      <article className="max-w-[90ch]">
        <DocBlocks text={text} doc={{ file, cloud }} />
      </article>
    </>
  )
}
