import { type Node, Parser } from 'commonmark'
import type { ReactNode } from 'react'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { docAnchor } from '@/lib/util/doc-anchor'
import { Inline, InlineText, mapNodes, plainText } from './doc-inline'
import { type DocPart, docParts } from './doc-parts'
import { docPicture, type LinkingDoc } from './doc-target'

const attribute = (html: string, name: string): string =>
  new RegExp(`<(?:img|source)[^>]*\\s${name}="([^"]*)"`).exec(html)?.[1] ?? ''

/** The one kind of HTML that documents contain: a picture in a light and a dark version. Nothing else is drawn. */
const Picture = ({ html, doc }: { html: string; doc: LinkingDoc }) => {
  const light = docPicture(doc.file, attribute(html, 'src'))
  const dark = docPicture(doc.file, attribute(html, 'srcset'))
  if (light === null) return null
  return (
    <picture>
      {dark === null ? null : <source media="(prefers-color-scheme: dark)" srcSet={dark} />}
      <img
        src={light}
        alt={attribute(html, 'alt')}
        loading="lazy"
        className="my-3 max-w-full rounded-panel border border-line"
      />
    </picture>
  )
}

const HEADING_STYLES = ['', '', 'mt-7 mb-2 text-lead', 'mt-5 mb-1.5', 'mt-4 mb-1']

const Heading = ({ node, doc }: { node: Node; doc: LinkingDoc }) => {
  const level = Math.min(4, Math.max(2, node.level))
  const Tag = `h${level}` as 'h2' | 'h3' | 'h4'
  return (
    <Tag id={docAnchor(plainText(node))} className={`scroll-mt-16 font-semibold ${HEADING_STYLES[level]}`}>
      <Inline node={node} doc={doc} />
    </Tag>
  )
}

const block = (node: Node, doc: LinkingDoc): ReactNode => {
  const children = () => mapNodes(node, (child) => block(child, doc))
  switch (node.type) {
    case 'heading':
      return <Heading node={node} doc={doc} />
    case 'paragraph':
      return (
        <p className="my-2.5">
          <Inline node={node} doc={doc} />
        </p>
      )
    case 'list':
      return node.listType === 'ordered' ? (
        <ol start={node.listStart} className="my-2.5 list-decimal pl-6">
          {children()}
        </ol>
      ) : (
        <ul className="my-2.5 list-disc pl-6">{children()}</ul>
      )
    case 'item':
      return <li className="my-1 [&>p]:my-0">{children()}</li>
    case 'block_quote':
      return <blockquote className="my-2.5 border-line border-l-2 pl-3 text-ink2">{children()}</blockquote>
    case 'code_block':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reached by keyboard (WCAG 2.1.1)
        <pre tabIndex={0} className="my-3 overflow-x-auto rounded-control border border-line bg-panel p-3">
          <code className="font-mono text-small">{node.literal}</code>
        </pre>
      )
    case 'thematic_break':
      return <hr className="my-4 border-line" />
    case 'html_block':
      return <Picture html={node.literal ?? ''} doc={doc} />
    default:
      return null
  }
}

const DocTable = ({ part, doc }: { part: Extract<DocPart, { kind: 'table' }>; doc: LinkingDoc }) => (
  <SideScroll className="mx-0 my-3 rounded-panel border border-line bg-panel">
    <Table>
      <thead>
        <tr>
          {part.head.map((text) => (
            <Th key={text}>
              <InlineText text={text} doc={doc} />
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {part.body.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change
          <Tr key={row} className="align-baseline">
            {cells.map((text, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change
              <Td key={column}>
                <InlineText text={text} doc={doc} />
              </Td>
            ))}
          </Tr>
        ))}
      </tbody>
    </Table>
  </SideScroll>
)

/** The body of a document. It is drawn as elements, so nothing in it is interpreted as HTML. */
export const DocBlocks = ({ text, doc }: { text: string; doc: LinkingDoc }) => (
  <>
    {docParts(text).map((part, index) =>
      part.kind === 'table' ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change
        <DocTable key={index} part={part} doc={doc} />
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change
        <div key={index}>{mapNodes(new Parser().parse(part.text), (node) => block(node, doc))}</div>
      ),
    )}
  </>
)
