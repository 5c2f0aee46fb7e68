/** The icons, drawn as everywhere in the house: stroke 1.75, silent to a screen reader, 16 px unless a class says otherwise. */
import {
  ArrowLeft,
  ArrowRight,
  Ban,
  Bookmark,
  BookOpen,
  Braces,
  Bug,
  ChartArea,
  Check,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  ChevronsUpDown,
  Circle,
  CircleCheck,
  CircleDashed,
  CircleQuestionMark,
  CircleUserRound,
  CircleX,
  CloudOff,
  Copy,
  Download,
  Ellipsis,
  ExternalLink,
  Eye,
  EyeOff,
  FileText,
  Folder,
  Globe,
  Hourglass,
  House,
  Info,
  KeyRound,
  LayoutDashboard,
  Link2,
  List,
  LoaderCircle,
  Lock,
  LogOut,
  Maximize2,
  Minimize2,
  Mail,
  Menu,
  MessageCircle,
  Moon,
  Network,
  Paperclip,
  Pause,
  Pencil,
  Play,
  Plus,
  RefreshCw,
  RotateCcw,
  ScrollText,
  Search,
  Settings,
  SlidersHorizontal,
  Square,
  Star,
  Sun,
  Trash2,
  TriangleAlert,
  UserRound,
  UserRoundPlus,
  UsersRound,
  Waypoints,
  X,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { cx } from './cx.ts'

export type IconProps = { className?: string }
export type Icon = (props: IconProps) => React.ReactElement

const icon = (Drawing: LucideIcon): Icon =>
  function HouseIcon({ className }) {
    return <Drawing aria-hidden="true" focusable="false" strokeWidth={1.75} size={16} className={cx('shrink-0', className)} />
  }

export const AlertIcon = icon(TriangleAlert)
export const ArrowLeftIcon = icon(ArrowLeft)
export const ArrowRightIcon = icon(ArrowRight)
export const AttachmentIcon = icon(Paperclip)
export const BanIcon = icon(Ban)
export const BookmarkIcon = icon(Bookmark)
export const BookIcon = icon(BookOpen)
export const BracesIcon = icon(Braces)
export const BugIcon = icon(Bug)
export const ChartIcon = icon(ChartArea)
export const CheckIcon = icon(Check)
export const ChevronDownIcon = icon(ChevronDown)
export const ChevronLeftIcon = icon(ChevronLeft)
export const ChevronRightIcon = icon(ChevronRight)
export const CircleCheckIcon = icon(CircleCheck)
export const CircleDashedIcon = icon(CircleDashed)
export const CircleIcon = icon(Circle)
export const CircleXIcon = icon(CircleX)
export const CloseIcon = icon(X)
export const CopyIcon = icon(Copy)
export const CrawlIcon = icon(Waypoints)
export const DashboardIcon = icon(LayoutDashboard)
export const DiscussionIcon = icon(MessageCircle)
export const DownloadIcon = icon(Download)
export const EllipsisIcon = icon(Ellipsis)
export const ExpandIcon = icon(Maximize2)
export const ShrinkIcon = icon(Minimize2)
export const ExternalIcon = icon(ExternalLink)
export const EyeIcon = icon(Eye)
export const EyeOffIcon = icon(EyeOff)
export const FileIcon = icon(FileText)
export const FilterIcon = icon(SlidersHorizontal)
export const FolderIcon = icon(Folder)
export const GlobeIcon = icon(Globe)
export const HelpIcon = icon(CircleQuestionMark)
export const HomeIcon = icon(House)
export const HourglassIcon = icon(Hourglass)
export const InfoIcon = icon(Info)
export const KeyIcon = icon(KeyRound)
export const LinkIcon = icon(Link2)
export const ListIcon = icon(List)
export const LockIcon = icon(Lock)
export const LogoutIcon = icon(LogOut)
export const LogsIcon = icon(ScrollText)
export const MailIcon = icon(Mail)
export const MenuIcon = icon(Menu)
export const MoonIcon = icon(Moon)
export const OfflineIcon = icon(CloudOff)
export const PauseIcon = icon(Pause)
export const PencilIcon = icon(Pencil)
export const PlayIcon = icon(Play)
export const PlusIcon = icon(Plus)
export const ProfileIcon = icon(CircleUserRound)
export const RefreshIcon = icon(RefreshCw)
export const RestartIcon = icon(RotateCcw)
export const SearchIcon = icon(Search)
export const SettingsIcon = icon(Settings)
export const SitemapIcon = icon(Network)
export const StarIcon = icon(Star)
export const StopIcon = icon(Square)
export const SunIcon = icon(Sun)
export const TeamIcon = icon(UsersRound)
export const TrashIcon = icon(Trash2)
export const UpDownIcon = icon(ChevronsUpDown)
export const UserIcon = icon(UserRound)
export const UserPlusIcon = icon(UserRoundPlus)

const Ring = icon(LoaderCircle)

/** The turning ring of something that is under way. */
export const SpinnerIcon: Icon = ({ className }) => <Ring className={cx('animate-spin', className)} />
