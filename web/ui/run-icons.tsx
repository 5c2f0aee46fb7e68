/** Icons of runs, and of the components in `ui/` that are loaded with a screen. */
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import Ban from 'lucide-react/icons/ban'
import Bookmark from 'lucide-react/icons/bookmark'
import Braces from 'lucide-react/icons/braces'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import Circle from 'lucide-react/icons/circle'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import Copy from 'lucide-react/icons/copy'
import Download from 'lucide-react/icons/download'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import FileText from 'lucide-react/icons/file-text'
import Folder from 'lucide-react/icons/folder'
import Globe from 'lucide-react/icons/globe'
import Hourglass from 'lucide-react/icons/hourglass'
import List from 'lucide-react/icons/list'
import Maximize2 from 'lucide-react/icons/maximize-2'
import Minimize2 from 'lucide-react/icons/minimize-2'
import Paperclip from 'lucide-react/icons/paperclip'
import Pause from 'lucide-react/icons/pause'
import Pencil from 'lucide-react/icons/pencil'
import Play from 'lucide-react/icons/play'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import Square from 'lucide-react/icons/square'
import Trash2 from 'lucide-react/icons/trash'
import { icon } from './icon.tsx'

export const ArrowLeftIcon = icon(ArrowLeft)
export const ArrowRightIcon = icon(ArrowRight)
export const AttachmentIcon = icon(Paperclip)
export const BanIcon = icon(Ban)
export const BookmarkIcon = icon(Bookmark)
export const BracesIcon = icon(Braces)
export const ChevronDownIcon = icon(ChevronDown)
export const ChevronLeftIcon = icon(ChevronLeft)
export const CircleDashedIcon = icon(CircleDashed)
export const CircleIcon = icon(Circle)
export const CopyIcon = icon(Copy)
export const DownloadIcon = icon(Download)
export const ExpandIcon = icon(Maximize2)
export const ShrinkIcon = icon(Minimize2)
export const EyeIcon = icon(Eye)
export const EyeOffIcon = icon(EyeOff)
export const FileIcon = icon(FileText)
export const FilterIcon = icon(SlidersHorizontal)
export const FolderIcon = icon(Folder)
export const GlobeIcon = icon(Globe)
export const HelpIcon = icon(CircleQuestionMark)
export const HourglassIcon = icon(Hourglass)
export const ListIcon = icon(List)
export const PauseIcon = icon(Pause)
export const PencilIcon = icon(Pencil)
export const PlayIcon = icon(Play)
export const RestartIcon = icon(RotateCcw)
export const StopIcon = icon(Square)
export const TrashIcon = icon(Trash2)
