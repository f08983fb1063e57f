/** The document that explains a page, by the beginning of its path; of several that match, the longest. */
export const HELP_TOPICS: Readonly<Record<string, string>> = {
  '/': 'features#all-features',
  '/capacity': 'history',
  '/catalog': 'quotas',
  '/changes': 'changes',
  '/changes/new': 'traits',
  '/changes/new/fence': 'flavors',
  '/changes/new/flavor': 'flavors',
  '/changes/new/limits': 'quotas',
  '/changes/new/passthrough': 'passthrough',
  '/changes/new/type': 'type-changes',
  '/findings': 'findings',
  '/flavors': 'flavors',
  '/gpu-room': 'flavors',
  '/gpu-servers': 'features#all-features',
  '/gpus': 'glossary',
  '/help': '',
  '/hosts': 'agents',
  '/migration': 'troubleshooting',
  '/quotas': 'quotas',
  '/removed-hosts': 'agents',
  '/requests': 'quotas',
  '/scenarios': 'forecast',
  '/servers': 'quotas',
  '/settings': 'settings',
  '/settings/agents': 'agents',
  '/settings/api': 'api',
  '/settings/api-tokens': 'api',
  '/settings/audit': 'security',
  '/settings/cloud': 'operating',
  '/settings/sessions': 'sign-in',
  '/settings/webhooks': 'webhooks',
  '/types': 'flavors',
  '/vgpu-actions': 'troubleshooting',
}

/** The document and its section for the page at a path. */
export const helpTopic = (pathname: string): { address: string; anchor?: string } => {
  const parts = pathname.split('/').filter((part) => part !== '')
  const starts = parts.map((_part, index) => `/${parts.slice(0, parts.length - index).join('/')}`)
  const topic = [...starts, '/'].map((start) => HELP_TOPICS[start]).find((each) => each !== undefined) ?? ''
  const [address = '', anchor] = topic.split('#', 2)
  return { address, ...(anchor === undefined ? {} : { anchor }) }
}
