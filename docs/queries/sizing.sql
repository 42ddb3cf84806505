-- Which RAID 5 arrays reach 100,000 database IOPS and 4 TB with the fewest drives?
-- asked by: a buyer
select
    design_label as design,
    drive_count,
    needs_expander,
    usable_terabytes,
    qualified_iops as iops,
    binding_ceiling as limited_by,
    confidence,
from rpt_sizing
where
    profile_id = 'random-read67-8KiB'
    and raid_level = 'RAID 5'
    and iops >= 100000
    and usable_terabytes >= 4
    and confidence in ('measured', 'high', 'medium')
qualify row_number() over (partition by design_label order by drive_count) = 1
order by drive_count, design;
