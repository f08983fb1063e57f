import { type Node, Parser } from 'commonmark'
import Link from 'next/link'
import { Fragment, type ReactNode } from 'react'
import { docTarget, type LinkingDoc } from './doc-target'

/** With an index as key: the nodes of a document do not change. */
export const mapNodes = (parent: Node, draw: (node: Node) => ReactNode): ReactNode[] => {
  const drawn: ReactNode[] = []
  for (let node = parent.firstChild; node !== null; node = node.next)
    drawn.push(<Fragment key={drawn.length}>{draw(node)}</Fragment>)
  return drawn
}

/** The text of a node without its marks. */
export const plainText = (node: Node): string => {
  if (node.literal !== null) return node.type === 'html_inline' ? '' : node.literal
  let text = node.type === 'softbreak' ? ' ' : ''
  for (let child = node.firstChild; child !== null; child = child.next) text += plainText(child)
  return text
}

const DocLink = ({
  doc,
  destination,
  children,
}: {
  doc: LinkingDoc
  destination: string
  children: ReactNode
}) => {
  const target = docTarget(doc, destination)
  if (target.kind === 'none') return <>{children}</>
  const className = 'text-accent-ink underline'
  return target.kind === 'site' ? (
    <a href={target.url} target="_blank" rel="noopener noreferrer" className={className}>
      {children}
    </a>
  ) : (
    <Link href={target.path} prefetch={false} className={className}>
      {children}
    </Link>
  )
}

const inline = (node: Node, doc: LinkingDoc): ReactNode => {
  const children = () => mapNodes(node, (child) => inline(child, doc))
  switch (node.type) {
    case 'text':
      return node.literal
    case 'softbreak':
      return ' '
    case 'linebreak':
      return <br />
    case 'code':
      return (
        <code className="rounded-tag bg-cell px-1 font-mono text-[0.93em] wrap-anywhere">{node.literal}</code>
      )
    case 'emph':
      return <em>{children()}</em>
    case 'strong':
      return <strong className="font-semibold">{children()}</strong>
    case 'link':
      return (
        <DocLink doc={doc} destination={node.destination ?? ''}>
          {children()}
        </DocLink>
      )
    // HTML is not drawn, and pictures are blocks.
    default:
      return null
  }
}

/** The inline content of a node. `doc`: for its links. */
export const Inline = ({ node, doc }: { node: Node; doc: LinkingDoc }) => (
  <>{mapNodes(node, (child) => inline(child, doc))}</>
)

/** Markdown of one paragraph, such as a cell of a table. */
export const InlineText = ({ text, doc }: { text: string; doc: LinkingDoc }) => {
  const paragraph = new Parser().parse(text).firstChild
  return paragraph === null ? null : <Inline node={paragraph} doc={doc} />
}
