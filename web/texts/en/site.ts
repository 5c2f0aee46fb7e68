import { count, number } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const folderOfTheDiagram = 'Folder of the diagram'
export const diagramOfTheSite = 'Diagram of the site'
export const pages = (n: number) => count(n, { one: 'page', other: 'pages' })
export const entries = (n: number) => count(n, { one: 'entry', other: 'entries' })
export const more = (n: number) => `${number(n)} more`
export const folder = (name: string, pages: string | number) => `${name}, ${pages}, folder`
export const allHosts = 'All hosts'
export const searchInTheTree = 'Search in the tree'
export const expandAll = 'Expand all'
export const collapseAll = 'Collapse all'
export const shown = 'Shown'
export const tree = 'Tree'
export const diagram = 'Diagram'
export const nothingMatchesTheSearch = 'Nothing matches the search'
export const clickABranchToOpenOr = (nodes: Part) =>
  rich`${nodes}. Click a branch to open or close it; numbers count the pages below; a title opens its page. A block of the diagram is as high as its share of the pages and leads into its folder.`
export const site = 'Site'
export const query = 'query'
export const openPage = 'Open page'
export const pagesBelow = 'Pages below'
export const backToTheFolderAbove = (name: string, pages: string | number) => `${name}, ${pages}; back to the folder above`
