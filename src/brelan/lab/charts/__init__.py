"""Charts as inline SVG: dot plots with intervals, histograms, lines over time, and their tables.

A chart is as wide as the column it stands in: places along it are given in per cent, and marks and
letters keep their size on a phone and on paper. Colours are classes, so that the page's stylesheet
dresses them for light, dark and print. Series are told apart by shape too.
"""

from brelan.lab.charts.dots import Dot, Row, dot_plot
from brelan.lab.charts.histogram import histogram
from brelan.lab.charts.lines import Line, line_chart
from brelan.lab.charts.scale import Scale
from brelan.lab.charts.scatter import Spot, scatter

__all__ = ["Dot", "Line", "Row", "Scale", "Spot", "dot_plot", "histogram", "line_chart", "scatter"]
